import type { IncomingHttpHeaders } from 'node:http';
import { apiError } from '../../errors/api-error';

/** Lists of codings that change nothing. Node decodes `chunked`, and no other transfer coding (RFC 9112 §7). */
const NOT_ENCODED = /^(?:[, \t]|\bidentity\b)*$/i;
const NOT_COMPRESSED = /^(?:[, \t]|\b(?:identity|chunked)\b)*$/i;

/**
 * Checks that a body has a matching Content-Type and is not compressed (contract §1.5). A missing body passes.
 * @throws ApiError `unsupportedMediaType`
 */
export function requireMediaType(headers: IncomingHttpHeaders, pattern: RegExp): void {
  const { 'content-type': type, 'content-encoding': encoding = '', 'transfer-encoding': transfer } = headers;
  const isPlain = NOT_ENCODED.test(encoding) && NOT_COMPRESSED.test(transfer ?? '');
  const isMissing = transfer === undefined && Number(headers['content-length'] ?? 0) === 0;
  const isRight = type === undefined ? isMissing : pattern.test(type);
  if (!isPlain || !isRight) throw apiError('unsupportedMediaType');
}
