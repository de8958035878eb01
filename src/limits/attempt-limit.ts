import { RateLimiterAbstract } from 'rate-limiter-flexible';
import { apiError, ApiError } from '../errors/api-error';

/** The attempts for one key in this process. */
interface Attempts {
  /** Each settles when its attempt ends. */
  readonly running: Set<Promise<void>>;
  /** Running or waiting. */
  pending: number;
  /** Settles when the last attempt in the queue was admitted or rejected. */
  queue: Promise<void>;
}

/**
 * Limits attempts that do not succeed, per key. The outcome of a running attempt is unknown, so an attempt waits while
 * those that run could use up the limit: parallel guesses get no further than sequential ones, and any number of
 * parallel logins with the right password succeed. (Consuming a point first and giving it back on success, as is usual,
 * would reject some of those.) Each instance of the service has its own queue.
 */
export class AttemptLimit {
  private readonly byKey = new Map<string, Attempts>();

  /** @param counter counts the attempts that did not succeed */
  constructor(
    private readonly counter: RateLimiterAbstract,
    private readonly limit: number,
  ) {}

  /**
   * Runs an attempt, and counts it when it returns undefined. An error is not counted.
   * @throws ApiError tooManyRequests when the limit is used up; the attempt is not run then
   */
  async attempt<T>(key: string, run: () => Promise<T | undefined>): Promise<T | undefined> {
    const attempts = this.byKey.get(key) ?? { running: new Set(), pending: 0, queue: Promise.resolve() };
    this.byKey.set(key, attempts);
    attempts.pending += 1;
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const admission = attempts.queue.then(() => this.admit(key, attempts.running, ended));
    attempts.queue = admission.catch(() => undefined);
    try {
      await admission;
      const result = await run();
      if (result === undefined) await this.counter.penalty(key);
      return result;
    } finally {
      attempts.running.delete(ended);
      end();
      attempts.pending -= 1;
      if (attempts.pending === 0) this.byKey.delete(key);
    }
  }

  /** Sets the count of a key back to 0. */
  async clear(key: string): Promise<void> {
    await this.counter.delete(key);
  }

  /** Waits until the attempt may run, and adds it to those that do. */
  private async admit(key: string, running: Set<Promise<void>>, attempt: Promise<void>): Promise<void> {
    for (;;) {
      // Read before the count: an attempt that ends in between is then counted twice, never left out.
      const others = [...running];
      const counted = await this.counter.get(key);
      const left = this.limit - (counted?.consumedPoints ?? 0);
      if (left <= 0) throw tooManyRequests(counted?.msBeforeNext ?? 0, 'Too many failed logins. Try again later.');
      if (others.length < left) break;
      await Promise.race(others);
    }
    running.add(attempt);
  }
}

/**
 * The error of a request over a limit (429, code 1700).
 * @param msLeft until the window ends; `Retry-After` has whole seconds, at least one (RFC 9110 §10.2.3)
 */
export function tooManyRequests(msLeft: number, message?: string): ApiError {
  const seconds = Math.max(Math.ceil(msLeft / 1000), 1);
  return apiError('tooManyRequests', message, { 'Retry-After': String(seconds) });
}
