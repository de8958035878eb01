import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { Connection, SchemaType } from 'mongoose';
import { Counter, Gauge, Registry } from 'prom-client';
import { DatabaseStart } from '../database/database-start';
import { PoolUsage } from '../database/pool-usage';
import { Transactions } from '../database/transactions';
import { withTimeout } from '../database/with-timeout';

/** How long the database may take to count (ms): metrics are read when it hangs, too. */
const COUNT_MS = 1000;

/** What the service says of its database. Everything is read at the time of the scrape. */
@Injectable()
export class DatabaseMetrics {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly start: DatabaseStart,
    private readonly pool: PoolUsage,
    private readonly transactions: Transactions,
  ) {}

  addTo(registry: Registry): void {
    this.addPool(registry);
    this.addTransactions(registry);
    this.addRecords(registry);
    const missing: Gauge = new Gauge({
      name: 'database_indexes_missing',
      help: 'Indexes that are not built yet or cannot be built, without the unique ones.',
      registers: [registry],
      collect: () => missing.set(this.start.missingIndexes),
    });
  }

  private addPool(registry: Registry): void {
    const connections: Gauge = new Gauge({
      name: 'database_connections',
      help: 'Open connections to the database, in use or idle.',
      labelNames: ['state'],
      registers: [registry],
      collect: () => {
        const { open, inUse } = this.pool;
        connections.set({ state: 'in_use' }, inUse);
        connections.set({ state: 'idle' }, open - inUse);
      },
    });
    const waiting: Gauge = new Gauge({
      name: 'database_operations_waiting',
      help: 'Operations that wait for a connection to the database.',
      registers: [registry],
      collect: () => waiting.set(this.pool.waiting),
    });
  }

  private addTransactions(registry: Registry): void {
    const { counts } = this.transactions;
    const transactions: Counter = new Counter({
      name: 'database_transactions_total',
      help: 'Transactions that were committed or rolled back.',
      labelNames: ['outcome'],
      registers: [registry],
      collect: () => {
        transactions.reset();
        transactions.inc({ outcome: 'committed' }, counts.committed);
        transactions.inc({ outcome: 'rolled_back' }, counts.rolledBack);
      },
    });
    const retries: Counter = new Counter({
      name: 'database_transaction_retries_total',
      help: 'Attempts of transactions after the first, because of write conflicts or lost connections.',
      registers: [registry],
      collect: () => {
        retries.reset();
        retries.inc(counts.retries);
      },
    });
  }

  private addRecords(registry: Registry): void {
    const records: Gauge = new Gauge({
      name: 'roster_records',
      help: 'Stored records by resource, as the database estimates them. Missing while it does not respond.',
      labelNames: ['resource'],
      registers: [registry],
      collect: async () => {
        records.reset();
        const counts = await this.count().catch(() => []);
        for (const [resource, count] of counts) records.set({ resource }, count);
      },
    });
  }

  /** From the collections' metadata, which the database keeps for itself: no record is read. */
  private count(): Promise<[string, number][]> {
    // The others have no records (AdminGuard).
    const models = Object.values(this.connection.models).filter(({ schema }) => isId(schema.path('_id')));
    const counts = models.map(async (model): Promise<[string, number]> => {
      return [model.collection.name, await model.estimatedDocumentCount({ maxTimeMS: COUNT_MS })];
    });
    return withTimeout(COUNT_MS, Promise.all(counts), () => new Error('The database did not count in time.'));
  }
}

function isId({ instance }: SchemaType): boolean {
  return instance === 'ObjectId';
}
