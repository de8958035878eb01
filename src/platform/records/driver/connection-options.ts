import type { ConnectOptions } from 'mongoose';

/** Time limits (ms). Like the options below, tests change them. */
export const timeLimits = {
  /** For the database to read a list: less than `socketTimeoutMS`, so it stops by itself. */
  read: 2500,
  /** For a write with all its attempts, from its first command on, and before for its turn. The driver alone retries for 120 s. */
  write: 10_000,
};

/**
 * Options of the driver: an operation on a database that does not respond fails within seconds. With the driver's
 * defaults it hangs for 10 s or forever, and `timeoutMS` does nothing. To be passed to every `openUri`.
 */
export const connectionOptions: ConnectOptions = {
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
  // Transactions need it, and a logout or a changed role counts at once. It takes precedence over MONGODB_URI.
  readPreference: 'primary',
  writeConcern: { w: 'majority', journal: true },
  // What no failover takes back: otherwise an ETag could come back with other contents.
  readConcern: { level: 'majority' },
};
