import type { IncomingHttpHeaders } from 'node:http';
import { apiError } from '../../errors/api-error';

/** `application/json`, alone or with the parameter `charset=utf-8`; names and value in any case (RFC 9110 §8.3). */
const JSON_IN_UTF8 = /^application\/json[ \t]*(?:;[ \t]*(?:charset=(?:utf-8|"utf-8")[ \t]*)?)*$/i;

/**
 * Checks that a body is JSON in UTF-8 and not compressed (contract §1.5).
 * @throws ApiError `unsupportedMediaType`
 */
export function requireJson(headers: IncomingHttpHeaders): void {
  requireMediaType(headers, JSON_IN_UTF8);
}

/**
 * Checks that a body has a matching Content-Type and is not compressed. A request without a body passes: what is wrong
 * with it is not its media type.
 * @throws ApiError `unsupportedMediaType`
 */
export function requireMediaType(headers: IncomingHttpHeaders, pattern: RegExp): void {
  if (isCompressed(headers)) throw apiError('unsupportedMediaType');
  const type = headers['content-type'];
  if (type === undefined && isEmpty(headers)) return;
  if (type === undefined || !pattern.test(type)) throw apiError('unsupportedMediaType');
}

/** Compressed by its sender or for the transfer: of those codings Node only decodes `chunked` (RFC 9112 §7). */
function isCompressed(headers: IncomingHttpHeaders): boolean {
  const transferCodings = listed(headers['transfer-encoding']).filter((coding) => coding !== 'chunked');
  return [...listed(headers['content-encoding']), ...transferCodings].some((coding) => coding !== 'identity');
}

/** The elements of a header's list in lower case, without empty ones (RFC 9110 §5.6.1). */
function listed(header = ''): string[] {
  const elements = header.toLowerCase().split(',');
  return elements.map((element) => element.trim()).filter((element) => element !== '');
}

function isEmpty(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}
