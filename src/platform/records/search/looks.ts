import { setImmediate } from 'node:timers';
import { WorkQueue } from '../../base/work-queue';
import type { Found } from './search-texts';

/** The time of a turn of the event loop that all looks take together (ms). A step takes less than one more. */
const SLICE_MS = 2;

/** A look at more characters waits for its turn. */
const SHORT = 2 ** 20;

/** A search of texts in steps, each with the number of characters that it has read so far. */
export type Look = Generator<number, Found, void>;

/** Runs the looks of all accounts, so they leave time for everything else. */
export class Looks {
  /** Each goes on for a step, and says whether it has ended. */
  private readonly steps: (() => boolean)[] = [];
  private readonly long = new WorkQueue({
    running: 4,
    runningPerKey: 1,
    waiting: 100,
    waitingPerKey: 25,
    maxWaitMs: 2000,
  });

  /** @throws ApiError overloaded (503) when a long look finds its queue full or waits for too long */
  async run(account: string, look: Look): Promise<Found> {
    return (await this.goOn(look, SHORT)) ?? this.long.run(account, async () => (await this.goOn(look, Infinity))!);
  }

  /** @returns undefined once it has read this many characters */
  private goOn(look: Look, most: number): Promise<Found | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<Found | undefined>();
    this.steps.push(() => {
      try {
        const { done, value } = look.next();
        if (!done && value < most) return false;
        resolve(done ? value : undefined);
      } catch (error) {
        reject(error);
      }
      return true;
    });
    if (this.steps.length === 1) setImmediate(() => this.takeSlice());
    return promise;
  }

  private takeSlice(): void {
    const end = performance.now() + SLICE_MS;
    while (this.steps.length > 0 && performance.now() < end) {
      const step = this.steps.shift()!;
      let isOver = false;
      while (!(isOver = step()) && performance.now() < end);
      // After the others.
      if (!isOver) this.steps.push(step);
    }
    if (this.steps.length > 0) setImmediate(() => this.takeSlice());
  }
}
