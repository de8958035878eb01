import type { Readable } from 'node:stream';
import { apiError } from '../../errors/api-error';
import { parseObject } from './json';
import { requireJson } from './media-type';
import type { UnreadBody } from './unread-body';

/**
 * Reads and parses a JSON body. Checks are in the contract's order (§1.1): media type, size, JSON.
 * @returns its members, with values as JSON.parse returns them
 * @throws ApiError `unsupportedMediaType`, `bodyTooLarge`, `unusableBody`; `unusableRequest` if the client disconnects
 */
export async function readBody(body: UnreadBody): Promise<Record<string, unknown>> {
  requireJson(body.headers);
  if (Number(body.headers['content-length'] ?? 0) > body.limit) throw apiError('bodyTooLarge');
  return parseObject(decode(await readBytes(body.stream, body.limit)));
}

/** Strict: neither invalid UTF-8 nor a byte order mark is accepted (RFC 8259 §8.1). */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw apiError('unusableBody', 'The body is not UTF-8.');
  }
}

/**
 * Reads a stream up to the limit. If it is longer, the rest is discarded as it arrives, and the stream stays open: the
 * response needs its socket.
 * @throws ApiError `bodyTooLarge`; `unusableRequest` if the client disconnects
 */
export function readBytes(stream: Readable, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (outcome: () => void): void => {
      stream.off('data', onData).off('end', onEnd).off('close', onClose);
      outcome();
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= limit) return;
      settle(() => reject(apiError('bodyTooLarge')));
      stream.resume();
    };
    const onEnd = (): void => settle(() => resolve(Buffer.concat(chunks)));
    // This listener stays: an error may follow the outcome.
    const onClose = (): void => settle(() => reject(apiError('unusableRequest')));
    if (stream.destroyed) return onClose();
    stream.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}
