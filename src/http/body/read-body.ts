import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { finished, type Readable } from 'node:stream';
import { apiError, type ErrorName } from '../../errors/api-error';
import { parseObject } from './json';
import type { UnreadBody } from './unread-body';

/** With or without the parameter `charset=utf-8`; names and value in any case (RFC 9110 §8.3). */
const JSON_IN_UTF8 = /^application\/json[ \t]*(?:;[ \t]*(?:charset=(?:utf-8|"utf-8")[ \t]*)?)*$/i;

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
  if (Number(headers['content-length'] ?? 0) > limit) throw apiError('bodyTooLarge');
  const bytes = await receive(body, limit);
  if (!isUtf8(bytes)) throw apiError('unusableBody', 'The body is not UTF-8.');
  return parseObject(bytes.toString());
}

/** @throws ApiError 415 unless a body has this Content-Type and is not compressed, or is missing (contract §1.5) */
export function requireMediaType(headers: IncomingHttpHeaders, pattern: RegExp): void {
  const { 'content-type': type, 'content-encoding': encoding = '', 'transfer-encoding': transfer } = headers;
  const isPlain = NOT_ENCODED.test(encoding) && NOT_COMPRESSED.test(transfer ?? '');
  const isMissing = transfer === undefined && Number(headers['content-length'] ?? 0) === 0;
  const isRight = type === undefined ? isMissing : pattern.test(type);
  if (!isPlain || !isRight) throw apiError('unsupportedMediaType');
}

/** Reads a body like `readBytes`, once. A client can take ten seconds to send it: the caller is then authorized again. */
export async function receive(body: UnreadBody, limit: number): Promise<Buffer> {
  const isLate = (body.stream as Partial<IncomingMessage>).complete === false;
  body.bytes ??= readBytes(body.stream, limit);
  const bytes = await body.bytes;
  if (isLate) await body.onLate();
  return bytes;
}

/**
 * Reads a stream up to the limit. The rest is discarded, and the stream stays open: the response needs its socket.
 * @throws ApiError `bodyTooLarge`; `unusableRequest` if the client disconnects
 */
export function readBytes(stream: Readable, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const refuse = (error: ErrorName): void => {
      stopWatching();
      stream.off('data', onData).resume();
      reject(apiError(error));
    };
    const onData = (chunk: Buffer): void => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > limit) refuse('bodyTooLarge');
    };
    const stopWatching = finished(stream, { writable: false }, (error) => {
      if (error) refuse('unusableRequest');
      else resolve(Buffer.concat(chunks));
    });
    stream.on('data', onData);
  });
}
