import { Connection } from 'mongoose';
import { IRateLimiterOptions, RateLimiterAbstract, RateLimiterMongo, RateLimiterRedis } from 'rate-limiter-flexible';
import { DatabaseStart } from '../database/database-start';

/** A store that all instances share. */
export interface LimiterStore {
  create(options: IRateLimiterOptions): RateLimiterAbstract;
  /** The last connection error, for the log. */
  readonly lastError?: Error;
  close?(): void;
}

const COLLECTION = 'rateLimits';

/** Counts in the registry's own database. A TTL index removes old counts; a unique one makes concurrent counts exact. */
export class MongodbStore implements LimiterStore {
  constructor(
    private readonly connection: Connection,
    start: DatabaseStart,
  ) {
    start.beforeReady(() => this.create({ points: 0, duration: 0 }).createIndexes());
  }

  create(options: IRateLimiterOptions): RateLimiterMongo {
    return new RateLimiterMongo({
      ...options,
      storeClient: this.connection,
      tableName: COLLECTION,
      disableIndexesCreation: true,
    });
  }
}

/**
 * Counts in a Valkey or Redis server. `socketTimeout` closes the connection to a server that hangs; until it is ready
 * again, limiters fail at once instead of delaying every request.
 */
export class RedisStore implements LimiterStore {
  lastError: Error | undefined;

  private constructor(private readonly client: import('ioredis').Redis) {
    client.on('error', (error) => (this.lastError = error));
  }

  /** @param url `redis://`, `rediss://`, `valkey://` or `valkeys://` */
  static async connect(url: string): Promise<RedisStore> {
    const { Redis } = await import('ioredis');
    const client = new Redis(url.replace(/^valkey/, 'redis'), {
      connectTimeout: 1000,
      socketTimeout: 500,
      disconnectTimeout: 500,
      maxRetriesPerRequest: 0,
      enableOfflineQueue: false,
    });
    return new RedisStore(client);
  }

  create(options: IRateLimiterOptions): RateLimiterRedis {
    return new RateLimiterRedis({ ...options, storeClient: this.client, rejectIfRedisNotReady: true });
  }

  close(): void {
    this.client.disconnect();
  }
}
