import { AsyncLocalStorage } from 'node:async_hooks';

const MAJORITY = { readConcern: { level: 'majority' } } as const;

const storage = new AsyncLocalStorage<boolean>();

/**
 * Runs work whose reads show only what a majority of the members has, which no failover takes back: otherwise an ETag
 * could come back with other contents. Not for writes: after a lost race they must see what the other one has stored.
 */
export function readingMajority<T>(work: () => T): T {
  return storage.run(true, work);
}

/** The driver's options for a read of the caller outside a transaction. */
export function readOptions(): typeof MAJORITY | undefined {
  return storage.getStore() ? MAJORITY : undefined;
}
