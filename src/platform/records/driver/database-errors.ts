import { mongo, Error as MongooseErrors, MongooseError } from 'mongoose';

/**
 * Another transaction has changed the record or holds the unique value; the server has ended the transaction. The last one
 * is DocumentDB's on PostgreSQL.
 */
const LOST: readonly unknown[] = [112, 251, 16777220];

/** The server is not the primary any more, or is about to stop. */
const PRIMARY_CHANGED: readonly unknown[] = [91, 189, 10107, 11600, 11602, 13435, 13436];

/** Errors of the driver and of mongoose that mean that no server responds, or not in time. */
const UNAVAILABLE = [
  mongo.MongoNetworkError,
  mongo.MongoServerSelectionError,
  mongo.MongoNotConnectedError,
  mongo.MongoTopologyClosedError,
  mongo.MongoServerClosedError,
  mongo.MongoClientClosedError,
  mongo.MongoOperationTimeoutError,
  MongooseErrors.MongooseServerSelectionError,
] as const;

/** Errors of the connection pool, whose classes the driver does not export under these names. */
const POOL_ERRORS: ReadonlySet<string> = new Set(['MongoPoolClosedError', 'MongoWaitQueueTimeoutError']);

// The driver's list of retryable codes, and MaxTimeMSExpired. Then what an operator or time repairs: cursors that were lost
// or killed (43, 237), interruptions (202, 11601, 13388), missing rights (13, 18), members (100) or cache (313). Then a
// server that cannot store: TemporarilyUnavailable, UserWritesBlocked, Atlas's quota, and OutOfDiskSpace.
const UNAVAILABLE_CODES: ReadonlySet<unknown> = new Set([
  ...[6, 7, 50, 64, 89, 91, 133, 134, 189, 262, 9001, 10058, 10107, 11600, 11602, 13435, 13436],
  ...[13, 18, 43, 100, 202, 237, 313, 11601, 13388],
  ...[365, 371, 8000, 14031],
]);

/** Messages of a storage engine that cannot write to its disk any more. These errors have no code. */
const STORAGE_ERROR = /WT_PANIC|No space left on device|Read-only file system/;

/** Checks whether the error means that the database cannot be reached, did not respond in time, or cannot store. */
export function isDatabaseUnavailable(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if (UNAVAILABLE.some((unavailable) => error instanceof unavailable) || POOL_ERRORS.has(error.name)) return true;
  if (error instanceof mongo.MongoServerError) {
    return UNAVAILABLE_CODES.has(error.code) || STORAGE_ERROR.test(error.message);
  }
  // With bufferCommands off, mongoose throws its bare base class before the first connection.
  return error instanceof MongooseError && error.message.includes('before initial connection');
}

/** Recognizes the error of a read whose server went away, which another one may answer. A timeout is none. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof mongo.MongoNetworkTimeoutError) return false;
  return error instanceof mongo.MongoNetworkError || PRIMARY_CHANGED.includes(codeOf(error));
}

/** Recognizes that the driver gave up a command that it had sent, so the server may still be running it. */
export function isResponseLost(error: unknown): boolean {
  return error instanceof mongo.MongoNetworkError && error.name !== 'MongoPoolClearedError';
}

/** Recognizes the error of a read that took longer than its `maxTimeMS`. */
export function isTimeLimitExceeded(error: unknown): boolean {
  return codeOf(error) === 50;
}

/** Recognizes an error of a unique index. Some servers also report it where MongoDB reports a conflict. */
export function isDuplicateKey(error: unknown): boolean {
  return codeOf(error) === 11000;
}

/** Recognizes that a transaction lost a race or its connection, with or without a label. Nothing is stored. */
export function isWriteConflict(error: unknown): boolean {
  const isTransient = error instanceof mongo.MongoError && error.hasErrorLabel('TransientTransactionError');
  return isTransient || LOST.includes(codeOf(error));
}

/** Recognizes an error of a commit that may be sent again: it is not known whether the first one was received. */
export function isUnknownCommit(error: unknown): boolean {
  return error instanceof mongo.MongoError && error.hasErrorLabel('UnknownTransactionCommitResult');
}

/** The error of a connection that `insertMany` wraps into one of its own class; any other error unchanged. */
export function unwrapped(error: unknown): unknown {
  const isWrapped = error instanceof mongo.MongoBulkWriteError && error.errorResponse instanceof Error;
  return isWrapped ? error.errorResponse : error;
}

/** An error that is logged and becomes 1901. */
export function unavailable(cause: unknown): Error {
  const reason = cause instanceof Error ? `: ${cause.message}` : '';
  return new mongo.MongoOperationTimeoutError(`A transaction did not end in time${reason}`, { cause: cause as Error });
}

/** An error that is logged and becomes 1901: the write may have been stored as a whole (contract §1.7). */
export function commitUnknown(cause: unknown): Error {
  const message = 'It is not known whether a transaction was committed.';
  return new mongo.MongoOperationTimeoutError(message, { cause: cause as Error });
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | undefined)?.code;
}
