import { IRateLimiterOptions, RateLimiterAbstract, RateLimiterRedis } from 'rate-limiter-flexible';

/** A store that all instances share. */
export interface LimiterStore {
  create(options: IRateLimiterOptions): RateLimiterAbstract;
  /** Reason why the last connection failed, for the log. */
  lastError?: Error;
  close?(): void;
}

/** Counts in Valkey or Redis. While it is not ready, limiters fail at once instead of delaying every request. */
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
  const store: LimiterStore = {
    create: (options) => new RateLimiterRedis({ ...options, storeClient, rejectIfRedisNotReady: true }),
    close: () => storeClient.disconnect(),
  };
  // The first error says why; others of the same connection follow from it ("Connection is closed.").
  let isFirst = true;
  storeClient.on('close', () => (isFirst = true));
  storeClient.on('error', (error) => {
    if (isFirst) store.lastError = error;
    isFirst = false;
  });
  return store;
}
