import { isUtf8 } from 'node:buffer';
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
  const bytes = await readBytes(body.stream, body.limit);
  if (!isUtf8(bytes)) throw apiError('unusableBody', 'The body is not UTF-8.');
  return parseObject(bytes.toString());
}

/**
 * Reads a stream up to the limit. The rest is discarded, and the stream stays open: the response needs its socket.
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
