import { OnApplicationShutdown } from '@nestjs/common';
import { RateLimiterAbstract, RateLimiterMemory, RateLimiterRes, RLWrapperTimeouts } from 'rate-limiter-flexible';
import { apiError, ApiError } from '../../base/errors/api-error';
import { networksOf } from './client-address';
import type { LimiterStore } from './limiter-stores';

/** Longest wait for the shared store (ms). */
const STORE_TIMEOUT_MS = 500;

/** Points per key, and the time in which they count (s); by default a minute. */
interface Limit {
  readonly points: number;
  readonly duration?: number;
}

/** Suffixes and factors for the networks of `networksOf`. */
const IPV6_PREFIXES = [
  ['', 1],
  ['48', 16],
] as const;

/** One thing that is counted: a limiter and its key. */
export type Counted = readonly [limiter: RateLimiterAbstract, key: string];

/** Names what a request from `request.ip` counts towards: the address, and for IPv6 the networks around it. */
export type NetworkLimit = (ip: string | undefined) => Counted[];

/** Creates limiters in memory or a shared store; while that fails, each instance counts for itself. */
export class Limiters implements OnApplicationShutdown {
  /** @param store the shared store; without one, limiters count in memory */
  constructor(private readonly store?: LimiterStore) {}

  /** @param name separates the keys of this limiter from those of others */
  create(name: string, { points, duration = 60 }: Limit): RateLimiterAbstract {
    const options = { keyPrefix: `roster:${name}`, points, duration };
    const insuranceLimiter = new RateLimiterMemory(options);
    if (!this.store) return insuranceLimiter;
    return new RLWrapperTimeouts({
      limiter: this.store.create(options),
      timeoutMs: STORE_TIMEOUT_MS,
      insuranceLimiter,
    });
  }

  /** A limit per address that somebody with many IPv6 addresses cannot evade. */
  createPerNetwork(name: string, { points, duration }: Limit): NetworkLimit {
    const limiters = IPV6_PREFIXES.map(([suffix, factor]) =>
      this.create(name + suffix, { points: points * factor, duration }),
    );
    return (ip) => networksOf(ip).map((network, index) => [limiters[index]!, network]);
  }

  onApplicationShutdown(): void {
    this.store?.close?.();
  }
}

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
      await refundPoints(all.slice(0, index + 1));
      throw error;
    });
  }
}

/** Gives the points back. */
export async function refundPoints(all: readonly Counted[]): Promise<void> {
  for (const [limiter, key] of all) {
    const { consumedPoints } = await limiter.reward(key);
    // Below 0, the window in which the point was taken has ended.
    if (consumedPoints < 0) await limiter.delete(key);
  }
}

/** The error of a request over a limit (429): `Retry-After` has whole seconds, at least one (RFC 9110 §10.2.3). */
export function tooManyRequests(msLeft: number, message?: string): ApiError {
  const seconds = Math.max(Math.ceil(msLeft / 1000), 1);
  return apiError('tooManyRequests', message, { 'retry-after': String(seconds) });
}
