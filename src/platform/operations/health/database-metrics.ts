import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { Connection } from 'mongoose';
import { Registry } from 'prom-client';
import { driverStateOf } from '../../records/driver/driver-state';
import { missingSearchIndexes } from '../../records/search/search-index';
import { Transactions } from '../../records/transactions/transactions';
import { withTimeout } from '../../records/driver/with-timeout';
import { addScraped } from './scraped-metric';

/** How long the database may take to count (ms): metrics are read when it hangs, too. */
const COUNT_MS = 1000;

/** The metrics of the database and what is stored in it. */
@Injectable()
export class DatabaseMetrics {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly transactions: Transactions,
  ) {}

  addTo(registry: Registry): void {
    const { counts } = this.transactions;
    const driver = driverStateOf(this.connection);
    addScraped(registry, {
      name: 'roster_search_indexes_missing',
      help: 'Resources whose searches read all records, because their index is not built yet or cannot be built.',
      read: () => missingSearchIndexes(this.connection),
    });
    addScraped(registry, {
      name: 'roster_database_connections',
      help: 'Open connections to the database, in use or idle.',
      label: 'state',
      read: () => ({ in_use: driver.inUse, idle: driver.open - driver.inUse }),
    });
    addScraped(registry, {
      name: 'roster_database_operations_waiting',
      help: 'Operations that wait for a connection to the database.',
      read: () => driver.waiting,
    });
    addScraped(registry, {
      name: 'roster_database_transactions_total',
      help: 'Transactions that were committed or rolled back.',
      label: 'outcome',
      read: () => ({ committed: counts.committed, rolled_back: counts.rolledBack }),
    });
    addScraped(registry, {
      name: 'roster_database_transaction_retries_total',
      help: 'Attempts of transactions after the first, because of write conflicts or lost connections.',
      read: () => counts.retries,
    });
    addScraped(registry, {
      name: 'roster_records',
      help: 'Stored records by resource, as the database estimates them. Missing while it does not respond.',
      label: 'resource',
      read: () => this.count().catch(() => ({})),
    });
  }

  /** From the collections' metadata, which the database keeps for itself: no record is read. */
  private async count(): Promise<Record<string, number>> {
    const models = Object.values(this.connection.models)
      // The others have no records (AdminGuard).
      .filter(({ schema }) => schema.path('_id').instance === 'ObjectId');
    const counts = models.map(async (model) => {
      return [model.collection.name, await model.estimatedDocumentCount({ maxTimeMS: COUNT_MS })] as const;
    });
    const late = (): Error => new Error('The database did not count in time.');
    return Object.fromEntries(await withTimeout(COUNT_MS, Promise.all(counts), late));
  }
}
