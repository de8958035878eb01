import { HttpException } from '@nestjs/common';
import { mongo, Error as MongooseErrors, MongooseError } from 'mongoose';
import { apiError, ApiError, apiErrors, ErrorName } from './api-error';

/** The error for a status of Nest, where it is not the first one of the table. */
const BY_STATUS: Readonly<Record<number, ErrorName>> = {
  400: 'unusableRequest',
  404: 'pathNotFound',
  409: 'concurrentChange',
  503: 'overloaded',
};

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

/** A write conflict, which a command outside a transaction can meet too. */
const WRITE_CONFLICT = 112;

/** Messages of a storage engine that cannot write to its disk any more. These errors have no code. */
const STORAGE_ERROR = /WT_PANIC|No space left on device|Read-only file system/;

/** Maps whatever was thrown to an error for the client; what is not known becomes `unexpected`. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isDatabaseUnavailable(error)) return apiError('databaseUnavailable');
  if (error instanceof mongo.MongoServerError && error.code === WRITE_CONFLICT) return apiError('concurrentChange');
  const status = error instanceof HttpException ? error.getStatus() : 500;
  const name =
    BY_STATUS[status] ?? (Object.keys(apiErrors) as ErrorName[]).find((one) => apiErrors[one].status === status);
  return apiError(name ?? (status >= 400 && status < 500 ? 'unusableRequest' : 'unexpected'));
}

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
