import { Injectable, Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';

/** Time from the start to the first sweeps, and from one to the next (ms). */
const FIRST_MS = 60 * 1000;
const INTERVAL_MS = 60 * 60 * 1000;

/** Deletes records whose time is over, every hour. Every instance does, at any time. */
@Injectable()
export class HourlySweeps implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger('Sweep');
  private readonly sweeps: (() => Promise<void>)[] = [];
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param what is deleted, for the log: `files that were not a logo for a day`
   * @param sweep deletes what is due, and returns how many records that were
   */
  add(what: string, sweep: () => Promise<number>): void {
    this.sweeps.push(() =>
      sweep().then(
        (deleted) => void (deleted > 0 && this.log.log(`Deleted ${deleted} ${what}`)),
        (error: unknown) => this.log.warn(`${what} could not be deleted: ${String(error)}`),
      ),
    );
  }

  onApplicationBootstrap(): void {
    this.timer = setTimeout(() => {
      this.timer = setInterval(() => void this.sweep(), INTERVAL_MS).unref();
      void this.sweep();
    }, FIRST_MS).unref();
  }

  onModuleDestroy(): void {
    clearTimeout(this.timer);
  }

  /** Runs all sweeps at the same time. */
  async sweep(): Promise<void> {
    await Promise.all(this.sweeps.map((sweep) => sweep()));
  }
}
