import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { finished, type Readable } from 'node:stream';
import { type ApiError, apiError } from '../../base/errors/api-error';
import { truncate } from '../responses/error-body';
import { parseObject } from './json';
import type { UnreadBody } from './unread-body';

/** A media type that a body can have. */
export interface MediaType {
  readonly name: string;
  readonly pattern: RegExp;
}

/** With or without the parameter `charset=utf-8`; names and value in any case (RFC 9110 §8.3). */
const JSON_IN_UTF8: MediaType = {
  name: 'application/json; charset=utf-8',
  pattern: /^application\/json[ \t]*(?:;[ \t]*(?:charset=(?:utf-8|"utf-8")[ \t]*)?)*$/i,
};

/** Lists of codings that change nothing. Node decodes `chunked`, and no other transfer coding (RFC 9112 §7). */
const NOT_ENCODED = /^(?:[, \t]|\bidentity\b)*$/i;
const NOT_COMPRESSED = /^(?:[, \t]|\b(?:identity|chunked)\b)*$/i;

/**
 * Reads and parses a JSON body, and checks it in the contract's order (§1.1): media type, size, JSON.
 * @throws ApiError `unsupportedMediaType`, `bodyTooLarge`, `unusableBody`; `unusableRequest` if the client disconnects
 */
export async function readBody(body: UnreadBody): Promise<Record<string, unknown>> {
  const { headers, limit } = body;
  requireMediaType(headers, JSON_IN_UTF8);
  if (Number(headers['content-length'] ?? 0) > limit) throw bodyTooLarge(limit);
  const bytes = await receive(body, limit);
  if (!isUtf8(bytes)) throw apiError('unusableBody', 'The body is not UTF-8.');
  return parseObject(bytes.toString());
}

/** @throws ApiError 415 unless a body has this Content-Type and is not compressed, or is missing (contract §1.5) */
export function requireMediaType(headers: IncomingHttpHeaders, { name, pattern }: MediaType): void {
  const { 'content-type': type, 'content-encoding': encoding = '', 'transfer-encoding': transfer } = headers;
  const isMissing = transfer === undefined && Number(headers['content-length'] ?? 0) === 0;
  const isRight = type === undefined ? isMissing : pattern.test(type);
  if (!isRight) throw unsupported('Content-Type', type, `Send ${name}.`);
  if (!NOT_ENCODED.test(encoding)) throw unsupported('Content-Encoding', encoding, NO_CODING);
  if (!NOT_COMPRESSED.test(transfer ?? '')) throw unsupported('Transfer-Encoding', transfer, NO_CODING);
}

const NO_CODING = 'Send the body uncompressed.';

function unsupported(header: string, value: string | undefined, advice: string): ApiError {
  const printable = value && truncate(value.replace(/[^\x20-\x7E]/g, '?'), 100);
  return apiError('unsupportedMediaType', `The ${header} is ${printable ? `"${printable}"` : 'missing'}. ${advice}`);
}

/** The error for a body of more bytes than this. */
export function bodyTooLarge(limit: number): ApiError {
  return apiError('bodyTooLarge', `The body is larger than ${limit.toLocaleString('en-US')} bytes.`);
}

/** Reads a body up to the limit, once. A client can take ten seconds: the caller is then authorized again. */
export async function receive(body: UnreadBody, limit: number): Promise<Buffer> {
  body.bytes ??= readBytes(body.stream, limit);
  const bytes = await body.bytes;
  await body.onLate?.();
  return bytes;
}

/** Reads a stream up to the limit. The rest is discarded, and the stream stays open: the response needs its socket. */
function readBytes(stream: Readable, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let bytes: Buffer = Buffer.alloc(0);
    let size = 0;
    const refuse = (error: ApiError): void => {
      stopWatching();
      stream.off('data', onData).resume();
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      if (size + chunk.length > limit) return refuse(bodyTooLarge(limit));
      if (size + chunk.length > bytes.length) bytes = enlarged(bytes, size + chunk.length, limit);
      size += chunk.copy(bytes, size);
    };
    const stopWatching = finished(stream, { writable: false }, (error) => {
      if (error) refuse(apiError('unusableRequest'));
      else resolve(bytes.subarray(0, size));
    });
    stream.on('data', onData);
  });
}

/** Chunks are copied, not kept: a client can send each byte as a chunk, which would take 600 bytes of memory. */
function enlarged(bytes: Buffer, size: number, limit: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.max(size, Math.min(2 * bytes.length, limit)));
  bytes.copy(larger);
  return larger;
}
