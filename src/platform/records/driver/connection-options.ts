import type { Connection, ConnectOptions } from 'mongoose';

/**
 * Options of the driver: an operation on a database that does not respond fails within seconds. With the driver's
 * defaults it hangs for 10 s or forever, and `timeoutMS` does nothing. To be passed to every `openUri`.
 */
export const connectionOptions = {
  bufferCommands: false,
  autoIndex: false,
  autoCreate: false,
  serverSelectionTimeoutMS: 2000,
  socketTimeoutMS: 3000,
  connectTimeoutMS: 2000,
  maxPoolSize: 50,
  waitQueueTimeoutMS: 3000,
  // Other errors than a timeout are repeated by `repeatRead`.
  retryReads: false,
  // Transactions need it, and a logout or a changed role takes effect immediately. It takes precedence over MONGODB_URI.
  readPreference: 'primary',
  writeConcern: { w: 'majority', journal: true },
  // What no failover takes back: otherwise an ETag could come back with other contents.
  readConcern: { level: 'majority' },
} as const satisfies ConnectOptions;

/** The time for the database to read a list (ms): less than the driver waits, so the database stops by itself. */
export function readTimeOf(connection: Connection): number {
  return (connection.getClient().options.socketTimeoutMS * 5) / 6;
}
