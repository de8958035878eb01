import { HttpException } from '@nestjs/common';
import { mongo } from 'mongoose';
import { apiError, ApiError, apiErrors, errorNames, ErrorName } from '../../base/errors/api-error';
import { isDatabaseUnavailable } from '../../records/driver/database-errors';

/** The error for a status of Nest, where it is not the first one of the table. */
const BY_STATUS: Readonly<Record<number, ErrorName>> = {
  400: 'unusableRequest',
  404: 'pathNotFound',
  409: 'concurrentChange',
  503: 'overloaded',
};

/** A write conflict, which a command outside a transaction can meet too. */
const WRITE_CONFLICT = 112;

/** Maps whatever was thrown to an error for the client; what is not known becomes `unexpected`. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isDatabaseUnavailable(error)) return apiError('databaseUnavailable');
  if (error instanceof mongo.MongoServerError && error.code === WRITE_CONFLICT) return apiError('concurrentChange');
  const status = error instanceof HttpException ? error.getStatus() : 500;
  const name = BY_STATUS[status] ?? errorNames().find((one) => apiErrors[one].status === status);
  return apiError(name ?? (status >= 400 && status < 500 ? 'unusableRequest' : 'unexpected'));
}
