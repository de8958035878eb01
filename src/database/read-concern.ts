import { AsyncLocalStorage } from 'node:async_hooks';
import { type Connection, mongo } from 'mongoose';
import { isConnectionLost } from './database-errors';

const MAJORITY = { readConcern: { level: 'majority' } } as const;

const storage = new AsyncLocalStorage<boolean>();
const supporting = new WeakSet<Connection>();

/** Asks the server whether it can read what a majority of the members has. Until then, nothing reads so. */
export async function askForMajority(connection: Connection): Promise<void> {
  try {
    await connection.collection('health').findOne({}, MAJORITY);
    supporting.add(connection);
  } catch (error) {
    if (!(error instanceof mongo.MongoServerError) || isConnectionLost(error)) throw error;
  }
}

/**
 * Runs work whose reads show only what a majority of the members has, which no failover takes back: otherwise an ETag
 * could come back with other contents. Not for writes: after a lost race they must see what the other one has stored.
 */
export function readingMajority<T>(work: () => T): T {
  return storage.run(true, work);
}

/** The driver's options for a read of the caller outside a transaction. */
export function readOptions(connection: Connection): typeof MAJORITY | undefined {
  return storage.getStore() && supporting.has(connection) ? MAJORITY : undefined;
}
