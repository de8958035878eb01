import { RateLimiterAbstract } from 'rate-limiter-flexible';
import { tooManyRequests } from './too-many-requests';

/** The attempts for one key in this process. */
interface Attempts {
  running: number;
  /** Running or waiting. */
  pending: number;
  /** Settles when the last attempt in the queue was admitted or rejected. */
  queue: Promise<void>;
  /** Wakes the head of the queue when an attempt ends. */
  wake: () => void;
}

/**
 * Limits failed attempts per key. The outcome of a running attempt is unknown, so an attempt waits while those that run
 * could use up the limit. This way parallel guesses get no further than sequential ones, and any number of parallel
 * logins with the right password succeed. (The usual pattern, to consume a point before the attempt and to give it back
 * on success, would reject some of those.) Each instance of the service has its own queue.
 */
export class FailureLimit {
  private readonly byKey = new Map<string, Attempts>();

  /** @param failures counts failed attempts */
  constructor(
    private readonly failures: RateLimiterAbstract,
    private readonly limit: number,
  ) {}

  /**
   * Runs an attempt, and counts it when it returns undefined. An error counts neither way.
   * @throws ApiError tooManyRequests when the limit is used up; the attempt is not run then
   */
  async attempt<T>(key: string, run: () => Promise<T | undefined>): Promise<T | undefined> {
    const attempts = this.byKey.get(key) ?? { running: 0, pending: 0, queue: Promise.resolve(), wake: () => undefined };
    this.byKey.set(key, attempts);
    attempts.pending += 1;
    const admission = attempts.queue.then(() => this.admit(key, attempts));
    attempts.queue = admission.catch(() => undefined);
    try {
      await admission;
      return await this.run(key, attempts, run);
    } finally {
      attempts.pending -= 1;
      if (attempts.pending === 0) this.byKey.delete(key);
    }
  }

  /** Forgets the failures of a key. */
  async clear(key: string): Promise<void> {
    await this.failures.delete(key);
  }

  private async admit(key: string, attempts: Attempts): Promise<void> {
    for (;;) {
      // Read before the count: an attempt that fails in between is then counted twice, never left out.
      const { running } = attempts;
      const counted = await this.failures.get(key);
      const left = this.limit - (counted?.consumedPoints ?? 0);
      if (left <= 0) throw tooManyRequests(counted?.msBeforeNext ?? 0, 'Too many failed logins. Try again later.');
      if (running < left) break;
      if (attempts.running === running) await new Promise<void>((resolve) => (attempts.wake = resolve));
    }
    attempts.running += 1;
  }

  private async run<T>(key: string, attempts: Attempts, run: () => Promise<T | undefined>): Promise<T | undefined> {
    try {
      const result = await run();
      if (result === undefined) await this.failures.penalty(key);
      return result;
    } finally {
      attempts.running -= 1;
      attempts.wake();
    }
  }
}
