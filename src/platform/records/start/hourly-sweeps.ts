import { Injectable, Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { messageOf } from '../../base/errors/message-of';
import { isDatabaseUnavailable } from '../driver/database-errors';

/** Time to the first sweeps, also after one that failed, and from one to the next (ms). */
const FIRST_MS = 60 * 1000;
const INTERVAL_MS = 60 * 60 * 1000;

/** Deletes records whose time is over, every hour. Every instance does, at any time. */
@Injectable()
export class HourlySweeps implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger('Sweep');
  private readonly sweeps: (() => Promise<boolean>)[] = [];
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param what is deleted, for the log: `files that were not a logo for a day`
   * @param sweep deletes what is due, and returns how many records that were
   */
  add(what: string, sweep: () => Promise<number>): void {
    this.sweeps.push(async () => {
      try {
        const deleted = await sweep();
        if (deleted > 0) this.log.log(`Deleted ${deleted} ${what}`);
        return true;
      } catch (error) {
        // Others report that the database is out of reach.
        if (!isDatabaseUnavailable(error)) this.log.warn(`${what} could not be deleted: ${messageOf(error)}`);
        return false;
      }
    });
  }

  onApplicationBootstrap(): void {
    this.wait(FIRST_MS);
  }

  onModuleDestroy(): void {
    clearTimeout(this.timer);
    // One that is running sets another timer.
    this.sweeps.length = 0;
  }

  /** Runs all sweeps at the same time. @returns whether none has failed */
  async sweep(): Promise<boolean> {
    return (await Promise.all(this.sweeps.map((sweep) => sweep()))).every(Boolean);
  }

  private wait(time: number): void {
    const next = async (): Promise<void> => this.wait((await this.sweep()) ? INTERVAL_MS : FIRST_MS);
    this.timer = setTimeout(() => void next(), time).unref();
  }
}
