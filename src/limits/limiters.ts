import { Logger, OnApplicationShutdown } from '@nestjs/common';
import { IRateLimiterOptions, RateLimiterAbstract, RateLimiterMemory, RLWrapperTimeouts } from 'rate-limiter-flexible';
import { networksOf } from './client-address';
import type { LimiterStore } from './limiter-stores';
import type { Counted } from './points';

/** How long a request waits for the shared store (ms). */
const STORE_TIMEOUT_MS = 500;

/** How often an unavailable store is logged at most (ms). */
const LOG_INTERVAL_MS = 60_000;

/** How much is allowed per key, and in which time (s); by default a minute. */
interface Limit {
  readonly points: number;
  readonly duration?: number;
}

/** How much more each of the networks of `networksOf` may do. */
const WIDENING = [
  { suffix: '', factor: 1 },
  { suffix: '56', factor: 4 },
  { suffix: '48', factor: 16 },
] as const;

/** Names what a request from `request.ip` counts towards: the address, and for IPv6 the networks around it. */
export type NetworkLimit = (ip: string | undefined) => Counted[];

/** Counts in this process while the shared store is unavailable. */
class InsuranceLimiter extends RateLimiterMemory {
  constructor(
    options: IRateLimiterOptions,
    private readonly onUse: () => void,
  ) {
    super(options);
  }

  /** Every operation starts with this. */
  override getKey(key: string | number): string {
    this.onUse();
    return super.getKey(key);
  }
}

/**
 * Creates the limiters, which count in memory or in a shared store. A shared store that fails or hangs must not take the
 * service down, so each instance then counts for itself. In memory, an address takes about 0.5 kB for a minute; when a
 * flood from ever-new addresses fills the heap, requests are rejected as overload and not counted.
 */
export class Limiters implements OnApplicationShutdown {
  private readonly log = new Logger('RateLimits');
  private logged = -Infinity;
  private loggedReason = '';

  /** @param store the shared store; without one, limiters count in memory */
  constructor(private readonly store?: LimiterStore) {}

  /** @param name separates the keys of this limiter from those of others */
  create(name: string, { points, duration = 60 }: Limit): RateLimiterAbstract {
    const options = { keyPrefix: `roster:${name}`, points, duration };
    if (!this.store) return new RateLimiterMemory(options);
    return new RLWrapperTimeouts({
      limiter: this.store.create(options),
      timeoutMs: STORE_TIMEOUT_MS,
      insuranceLimiter: new InsuranceLimiter(options, () => this.reportUnavailable()),
    });
  }

  /** A limit per address that somebody with many IPv6 addresses cannot evade. */
  createPerNetwork(name: string, { points, duration }: Limit): NetworkLimit {
    const limiters = WIDENING.map(({ suffix, factor }) =>
      this.create(name + suffix, { points: points * factor, duration }),
    );
    return (ip) => networksOf(ip).map((network, index) => [limiters[index]!, network]);
  }

  onApplicationShutdown(): void {
    this.store?.close?.();
  }

  private reportUnavailable(): void {
    const reason = this.store?.lastError ? `: ${this.store.lastError.message}` : '';
    // The first connection may fail only after the first request.
    const isNewReason = reason !== '' && this.loggedReason === '';
    if (Date.now() - this.logged < LOG_INTERVAL_MS && !isNewReason) return;
    this.logged = Date.now();
    this.loggedReason = reason;
    this.log.error(`The rate limit store is unavailable; each instance counts for itself${reason}`);
  }
}
