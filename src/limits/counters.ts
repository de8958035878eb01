import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { Connection } from 'mongoose';
import { Settings } from '../config/settings';
import { Counter } from './counter';
import { MemoryCounter } from './memory-counter';
import { MongodbStore } from './mongodb-store';
import { RedisStore } from './redis-store';
import { LimiterStore, SharedCounter, StoreFailures } from './shared-counter';

/** Makes the counters of all limits in the store that `RATE_LIMIT_STORE` names. */
@Injectable()
export class Counters implements OnApplicationShutdown {
  private readonly store: LimiterStore | undefined;
  private readonly failures: StoreFailures;

  /**
   * @param settings `RATE_LIMIT_STORE`
   * @param connection the database, needed for the store `mongodb` only
   */
  constructor(settings: Settings, connection?: Connection) {
    this.store = storeOf(settings.rateLimitStore, connection);
    this.failures = new StoreFailures(this.store?.name ?? 'memory');
  }

  /** @param name what is counted; it sets the keys of this counter apart from those of others */
  make(name: string): Counter {
    return this.store ? new SharedCounter(this.store, name, this.failures) : new MemoryCounter();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.store?.close();
  }
}

function storeOf(setting: string, connection?: Connection): LimiterStore | undefined {
  if (setting === 'memory') return undefined;
  if (setting !== 'mongodb') return new RedisStore(setting);
  if (!connection) throw new Error('RATE_LIMIT_STORE is mongodb, and there is no database connection.');
  return new MongodbStore(connection);
}
