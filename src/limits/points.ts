import { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { apiError, ApiError } from '../errors/api-error';

/** One thing that is counted: a limiter and its key. */
export type Counted = readonly [limiter: RateLimiterAbstract, key: string];

/** Takes a point. @throws ApiError tooManyRequests when none is left */
export async function takePoint([limiter, key]: Counted, message?: string): Promise<void> {
  await limiter.consume(key).catch((error: unknown) => {
    throw error instanceof RateLimiterRes ? tooManyRequests(error.msBeforeNext, message) : error;
  });
}

/** Takes a point of each, or of none. @throws ApiError tooManyRequests when one of them has none left */
export async function takePoints(all: readonly Counted[], message?: string): Promise<void> {
  for (const [index, counted] of all.entries()) {
    await takePoint(counted, message).catch(async (error: unknown) => {
      // A limiter has counted what it rejects, too.
      await giveBackPoints(all.slice(0, index + 1));
      throw error;
    });
  }
}

/** Gives the points back. */
export async function giveBackPoints(all: readonly Counted[]): Promise<void> {
  for (const [limiter, key] of all) {
    const { consumedPoints } = await limiter.reward(key);
    // Below 0, the window in which the point was taken has ended.
    if (consumedPoints < 0) await limiter.delete(key);
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
