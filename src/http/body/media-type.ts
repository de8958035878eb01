import type { IncomingHttpHeaders } from 'node:http';
import { apiError } from '../../errors/api-error';

/** With or without the parameter `charset=utf-8`; names and value in any case (RFC 9110 §8.3). */
const JSON_IN_UTF8 = /^application\/json[ \t]*(?:;[ \t]*(?:charset=(?:utf-8|"utf-8")[ \t]*)?)*$/i;

/** Checks that a body is JSON in UTF-8 and not compressed (contract §1.5). */
export function requireJson(headers: IncomingHttpHeaders): void {
  requireMediaType(headers, JSON_IN_UTF8);
}

/**
 * Checks that a body has a matching Content-Type and is not compressed. A missing body passes: its media type is not
 * what is wrong.
 * @throws ApiError `unsupportedMediaType`
 */
export function requireMediaType(headers: IncomingHttpHeaders, pattern: RegExp): void {
  const transferEncoding = headers['transfer-encoding'];
  // Of the transfer codings Node only decodes `chunked` (RFC 9112 §7).
  const transferCodings = codingsIn(transferEncoding).filter((coding) => coding !== 'chunked');
  const isCompressed = [...codingsIn(headers['content-encoding']), ...transferCodings].some((one) => one !== 'identity');
  const isMissing = transferEncoding === undefined && Number(headers['content-length'] ?? 0) === 0;
  const type = headers['content-type'];
  const isRight = type === undefined ? isMissing : pattern.test(type);
  if (isCompressed || !isRight) throw apiError('unsupportedMediaType');
}

/** The codings that a header lists, in lower case. Empty elements do not count (RFC 9110 §5.6.1). */
function codingsIn(header = ''): string[] {
  return header.toLowerCase().match(/[^, \t]+/g) ?? [];
}
