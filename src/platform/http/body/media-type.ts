import type { IncomingHttpHeaders } from 'node:http';
import { type ApiError, apiError } from '../../base/errors/api-error';
import { truncate } from '../responses/error-body';

/** A media type that a body can have. */
export interface MediaType {
  readonly name: string;
  /** Checks the value of a Content-Type header; names and values are in any case (RFC 9110 §8.3). */
  readonly accepts: (type: string) => boolean;
}

/** With any parameters; a `charset` must be UTF-8. */
export const JSON_IN_UTF8: MediaType = {
  name: 'application/json; charset=utf-8',
  accepts: (type) =>
    /^application\/json[ \t]*(?:;|$)/i.test(type) &&
    charsetsIn(type).every((charset) => /^(?:utf-?8|"utf-?8")$/i.test(charset)),
};

/** A parameter: its name, and its value, in which a quoted text may contain a semicolon. */
const PARAMETER = /;[ \t]*(?:([^\s;="]+)[ \t]*=[ \t]*("(?:[^"\\]|\\.)*"|[^;]*))?/g;

function charsetsIn(type: string): string[] {
  const parameters = Array.from(type.matchAll(PARAMETER), ([, name = '', value = '']) => ({ name, value }));
  return parameters.filter(({ name }) => /^charset$/i.test(name)).map(({ value }) => value.trim());
}

/** A form, which must not be compressed. */
export const MULTIPART: MediaType = {
  name: 'multipart/form-data',
  accepts: (type) => /^multipart\/form-data[ \t]*(?:;|$)/i.test(type),
};

/** Lists of codings that change nothing. Node decodes `chunked`, and no other transfer coding (RFC 9112 §7). */
const NOT_ENCODED = /^(?:[, \t]|\bidentity\b)*$/i;
const NOT_COMPRESSED = /^(?:[, \t]|\b(?:identity|chunked)\b)*$/i;

/** @throws ApiError 415 unless a body has this Content-Type and is not compressed, or is missing (contract §1.5) */
export function requireMediaType(headers: IncomingHttpHeaders, { name, accepts }: MediaType): void {
  const { 'content-type': type, 'content-encoding': encoding = '', 'transfer-encoding': transfer } = headers;
  const isMissing = transfer === undefined && Number(headers['content-length'] ?? 0) === 0;
  const isRight = type === undefined ? isMissing : accepts(type);
  if (!isRight) throw unsupported('Content-Type', type, `Send ${name}.`);
  if (!NOT_ENCODED.test(encoding)) throw unsupported('Content-Encoding', encoding, NO_CODING);
  if (!NOT_COMPRESSED.test(transfer ?? '')) throw unsupported('Transfer-Encoding', transfer, NO_CODING);
}

const NO_CODING = 'Send the body uncompressed.';

function unsupported(header: string, value: string | undefined, advice: string): ApiError {
  const printable = value && truncate(value.replace(/[^\x20-\x7E]/g, '?'), 100);
  return apiError('unsupportedMediaType', `The ${header} is ${printable ? `"${printable}"` : 'missing'}. ${advice}`);
}
