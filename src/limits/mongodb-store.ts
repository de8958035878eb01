import { Connection, ConnectionStates } from 'mongoose';
import { RateLimiterAbstract, RateLimiterMongo } from 'rate-limiter-flexible';
import { WINDOW_SECONDS } from './counter';
import { LimiterStore } from './shared-counter';

const COLLECTION = 'rateLimits';

/** Counts in the registry's own database, in the collection `rateLimits`, which a TTL index keeps small. */
export class MongodbStore implements LimiterStore {
  readonly name = 'mongodb';
  private indexed: Promise<unknown> | undefined;

  constructor(private readonly connection: Connection) {}

  /** @throws Error while the database is not connected */
  async open(prefix: string): Promise<RateLimiterAbstract> {
    if (this.connection.readyState !== ConnectionStates.connected) throw new Error('the database is not connected');
    this.indexed ??= this.buildIndexes();
    await this.indexed.catch((error: unknown) => {
      this.indexed = undefined;
      throw error;
    });
    return new RateLimiterMongo({
      storeClient: this.connection.getClient(),
      dbName: this.connection.name,
      tableName: COLLECTION,
      keyPrefix: prefix,
      points: 1,
      duration: WINDOW_SECONDS,
      // The library reports a failure to build them to the console only.
      disableIndexesCreation: true,
    });
  }

  /** The connection belongs to the database module. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  /** The unique key is what makes the library's upserts count rightly side by side. */
  private buildIndexes(): Promise<unknown> {
    const counts = this.connection.getClient().db(this.connection.name).collection(COLLECTION);
    return Promise.all([
      counts.createIndex({ expire: -1 }, { expireAfterSeconds: 0 }),
      counts.createIndex({ key: 1 }, { unique: true }),
    ]);
  }
}
