import { HttpException } from '@nestjs/common';
import { apiError, ApiError, apiErrors, errorNames, ErrorName } from '../../base/errors/api-error';
import { isDatabaseUnavailable, isWriteConflict } from '../../records/driver/database-errors';

/** The error for a status of Nest, where it is not the first one of the table. */
const BY_STATUS: Readonly<Record<number, ErrorName>> = {
  400: 'unusableRequest',
  404: 'pathNotFound',
  409: 'concurrentChange',
  503: 'overloaded',
};

/** Maps whatever was thrown to an error for the client; what is not known becomes `unexpected`. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isDatabaseUnavailable(error)) return apiError('databaseUnavailable');
  // A command outside a transaction can meet it, too.
  if (isWriteConflict(error)) return apiError('concurrentChange');
  const status = error instanceof HttpException ? error.getStatus() : 500;
  const name = BY_STATUS[status] ?? errorNames().find((one) => apiErrors[one].status === status);
  return apiError(name ?? (status >= 400 && status < 500 ? 'unusableRequest' : 'unexpected'));
}
