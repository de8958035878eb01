import { randomInt } from 'node:crypto';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { Counter, Tally, WINDOW_SECONDS } from './counter';

const BUCKETS = 1 << 16;

/**
 * Counts in this process. Keys share a fixed number of buckets, chosen by a hash that is keyed anew at each start:
 * whoever comes from ever new addresses cannot fill the memory, and nobody can aim at another's bucket.
 */
export class MemoryCounter implements Counter {
  private readonly limiter = new RateLimiterMemory({ points: 1, duration: WINDOW_SECONDS });
  private readonly seed = randomInt(2 ** 32);

  async add(key: string): Promise<Tally> {
    const { consumedPoints, msBeforeNext } = await this.limiter.penalty(this.bucket(key));
    return { count: consumedPoints, msLeft: msBeforeNext };
  }

  async used(key: string): Promise<Tally> {
    const found = await this.limiter.get(this.bucket(key));
    return { count: found?.consumedPoints ?? 0, msLeft: found?.msBeforeNext ?? 0 };
  }

  async forget(key: string): Promise<void> {
    await this.limiter.delete(this.bucket(key));
  }

  /** FNV-1a: a request pays for this, so it is no cryptographic hash. */
  private bucket(key: string): number {
    let hash = this.seed;
    for (let index = 0; index < key.length; index += 1) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
    return (hash >>> 8) % BUCKETS;
  }
}
