import { Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';

/** Time from the start to the first sweep, and from one to the next (ms). */
const FIRST_MS = 60 * 1000;
const INTERVAL_MS = 60 * 60 * 1000;

/** Deletes records whose time is over, every hour. Every instance does, at any time. */
export abstract class HourlySweep implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;

  /** @param what is deleted, for the log: `files that were not a logo for a day` */
  constructor(private readonly what: string) {}

  /** Deletes what is due, and returns how many records that were. */
  abstract sweep(): Promise<number>;

  onApplicationBootstrap(): void {
    this.sweepIn(FIRST_MS);
  }

  onModuleDestroy(): void {
    clearTimeout(this.timer);
  }

  private sweepIn(ms: number): void {
    const log = new Logger('Sweep');
    this.timer = setTimeout(() => {
      this.sweepIn(INTERVAL_MS);
      this.sweep().then(
        (deleted) => deleted > 0 && log.log(`Deleted ${deleted} ${this.what}`),
        (error: unknown) => log.warn(`${this.what} could not be deleted: ${String(error)}`),
      );
    }, ms).unref();
  }
}
