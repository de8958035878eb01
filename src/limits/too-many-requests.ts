import { apiError, ApiError } from '../errors/api-error';

/**
 * The error of a request over a limit (429, code 1700).
 * @param msLeft until the window ends; `Retry-After` has whole seconds, at least one (RFC 9110 §10.2.3)
 */
export function tooManyRequests(msLeft: number, message?: string): ApiError {
  const seconds = Math.max(Math.ceil(msLeft / 1000), 1);
  return apiError('tooManyRequests', message, { 'Retry-After': String(seconds) });
}
