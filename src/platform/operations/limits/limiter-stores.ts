import { Logger } from '@nestjs/common';
import { IRateLimiterOptions, RateLimiterAbstract, RateLimiterRedis } from 'rate-limiter-flexible';

/** A store that all instances share. */
export interface LimiterStore {
  create(options: IRateLimiterOptions): RateLimiterAbstract;
  close?(): void;
}

/** Counts in Valkey or Redis. While it is not ready, limiters fail immediately instead of delaying every request. */
export async function redisStore(url: string): Promise<LimiterStore> {
  const { Redis } = await import('ioredis');
  const storeClient = new Redis(url.replace(/^valkey/, 'redis'), {
    connectTimeout: 1000,
    socketTimeout: 500,
    disconnectTimeout: 500,
    // ioredis waits up to 5 s between attempts, in which each instance still counts for itself.
    retryStrategy: (attempt) => Math.min(50 * 2 ** (attempt - 1), 2000),
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
  });
  const log = new Logger('RateLimits');
  let isDown = false;
  storeClient.on('error', ({ message }) => {
    // The first error says why; others follow from it ("Connection is closed.").
    if (!isDown) log.error(`The rate limit store is unavailable; each instance counts for itself: ${message}`);
    isDown = true;
  });
  storeClient.on('ready', () => {
    if (isDown) log.log('The rate limit store is available again.');
    isDown = false;
  });
  return {
    create: (options) => new RateLimiterRedis({ ...options, storeClient, rejectIfRedisNotReady: true }),
    close: () => storeClient.disconnect(),
  };
}
