import { Logger } from '@nestjs/common';
import { RateLimiterAbstract } from 'rate-limiter-flexible';
import { withTimeout } from '../database/with-timeout';
import { messageOf } from '../logging/message-of';
import { Counter, Tally } from './counter';
import { MemoryCounter } from './memory-counter';

/** How long a store may take for one count (ms): the request waits for it. */
const PATIENCE_MS = 500;

/** How long a store that failed is left alone (ms), so that a hung one does not delay every request. */
const PAUSE_MS = 5_000;

/** How often a failing store is logged at most (ms). */
const LOG_INTERVAL_MS = 60_000;

/** A store outside the process, shared by all instances. */
export interface LimiterStore {
  /** Its name for the log. */
  readonly name: string;

  /** Makes a limiter whose keys begin with `prefix`; throws while the store cannot be reached. */
  open(prefix: string): Promise<RateLimiterAbstract>;

  /** Ends the connections that `open` made. */
  close(): Promise<void>;
}

/** What the counters of one store know of its failures. */
export class StoreFailures {
  private readonly log = new Logger('RateLimits');
  private resting = 0;
  private logged = -Infinity;

  constructor(private readonly name: string) {}

  /** Whether the store failed a moment ago and is left alone. */
  get recent(): boolean {
    return Date.now() < this.resting;
  }

  /** Leaves the store alone for a while, and says so in the log once in a while. */
  note(error: unknown): void {
    const now = Date.now();
    this.resting = now + PAUSE_MS;
    if (now - this.logged < LOG_INTERVAL_MS) return;
    this.logged = now;
    this.log.error(`The store ${this.name} failed, each instance counts for itself meanwhile: ${messageOf(error)}`);
  }
}

/** Counts in a shared store, and in memory while that fails: a limit must not take the service down with its store. */
export class SharedCounter implements Counter {
  private readonly memory = new MemoryCounter();
  private opened: Promise<RateLimiterAbstract> | undefined;

  constructor(
    private readonly store: LimiterStore,
    private readonly prefix: string,
    private readonly failures: StoreFailures,
  ) {}

  add(key: string): Promise<Tally> {
    return this.insured(
      (limiter) => limiter.penalty(key).then((result) => tallyOf(result)),
      () => this.memory.add(key),
    );
  }

  used(key: string): Promise<Tally> {
    return this.insured(
      (limiter) => limiter.get(key).then((result) => tallyOf(result)),
      () => this.memory.used(key),
    );
  }

  async forget(key: string): Promise<void> {
    await this.memory.forget(key);
    await this.insured(
      (limiter) => limiter.delete(key),
      () => Promise.resolve(true),
    );
  }

  private async insured<T>(
    inStore: (limiter: RateLimiterAbstract) => Promise<T>,
    inMemory: () => Promise<T>,
  ): Promise<T> {
    if (this.failures.recent) return inMemory();
    try {
      return await withTimeout(PATIENCE_MS, this.limiter().then(inStore), late);
    } catch (error) {
      this.failures.note(error);
      return inMemory();
    }
  }

  private limiter(): Promise<RateLimiterAbstract> {
    this.opened ??= this.store.open(this.prefix).catch((error: unknown) => {
      this.opened = undefined;
      throw error;
    });
    return this.opened;
  }
}

function late(): Error {
  return new Error(`no answer within ${PATIENCE_MS} ms`);
}

function tallyOf(result: { consumedPoints: number; msBeforeNext: number } | null): Tally {
  return { count: result?.consumedPoints ?? 0, msLeft: result?.msBeforeNext ?? 0 };
}
