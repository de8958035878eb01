import { Logger, OnApplicationShutdown } from '@nestjs/common';
import { IRateLimiterOptions, RateLimiterAbstract, RateLimiterMemory, RLWrapperTimeouts } from 'rate-limiter-flexible';
import type { LimiterStore } from './limiter-stores';

/** How long a request waits for the shared store (ms). */
const STORE_TIMEOUT_MS = 500;

/** How often an unavailable store is logged at most (ms). */
const LOG_INTERVAL_MS = 60_000;

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
 * flood from ever-new addresses fills the heap, AvailabilityGuard rejects requests before they are counted.
 */
export class Limiters implements OnApplicationShutdown {
  private readonly log = new Logger('RateLimits');
  private logged = -Infinity;

  /** @param store the shared store; without one, limiters count in memory */
  constructor(private readonly store?: LimiterStore) {}

  /**
   * @param name separates the keys of this limiter from those of others
   * @param points allowed per key and minute
   */
  create(name: string, points: number): RateLimiterAbstract {
    const options = { keyPrefix: `roster:${name}`, points, duration: 60 };
    if (!this.store) return new RateLimiterMemory(options);
    return new RLWrapperTimeouts({
      limiter: this.store.create(options),
      timeoutMs: STORE_TIMEOUT_MS,
      insuranceLimiter: new InsuranceLimiter(options, () => this.reportUnavailable()),
    });
  }

  onApplicationShutdown(): void {
    this.store?.close?.();
  }

  private reportUnavailable(): void {
    if (Date.now() - this.logged < LOG_INTERVAL_MS) return;
    this.logged = Date.now();
    const reason = this.store?.lastError ? `: ${this.store.lastError.message}` : '';
    this.log.error(`The rate limit store is unavailable; each instance counts for itself${reason}`);
  }
}
