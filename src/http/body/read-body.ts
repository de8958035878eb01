import type { Readable } from 'node:stream';
import { apiError } from '../../errors/api-error';
import { parseObject } from './json';
import { requireJson } from './media-type';
import type { UnreadBody } from './unread-body';

/**
 * Reads and parses a JSON body, judged in the contract's order (§1.1): media type, size, JSON.
 * @returns its members; values are as JSON.parse gives them
 * @throws Failure `unsupportedMediaType`, `bodyTooLarge`, `unusableBody`; `unusableRequest` when the client breaks off
 */
export async function readBody(body: UnreadBody): Promise<Record<string, unknown>> {
  requireJson(body.headers);
  if (Number(body.headers['content-length'] ?? 0) > body.limit) throw apiError('bodyTooLarge');
  return parseObject(decode(await readBytes(body.stream, body.limit)));
}

/** Strict: neither a byte that is no UTF-8 nor a byte order mark passes (RFC 8259 §8.1). */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw apiError('unusableBody', 'The body is not UTF-8.');
  }
}

/**
 * The bytes of the stream, up to the limit. Above it reading stops at once; the stream is left open, since the answer
 * goes out on its socket.
 *
 * @throws Failure bodyTooLarge; unusableRequest when the client breaks off
 */
export function readBytes(stream: Readable, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (outcome: () => void): void => {
      stream.off('data', onData).off('end', onEnd).off('close', onBreak);
      outcome();
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= limit) return;
      stream.pause();
      settle(() => reject(apiError('bodyTooLarge')));
    };
    const onEnd = (): void => settle(() => resolve(Buffer.concat(chunks)));
    // A client that breaks off is no error of ours. The listener stays: an error may come after the outcome.
    const onBreak = (): void => settle(() => reject(apiError('unusableRequest')));
    if (stream.destroyed) return onBreak();
    stream.on('data', onData).on('end', onEnd).on('close', onBreak).on('error', onBreak);
  });
}
