import { finished, type Readable } from 'node:stream';
import type { IncomingHttpHeaders } from 'node:http';
import type { onRequestHookHandler } from 'fastify';
import { type ApiError, apiError } from '../../base/errors/api-error';
import { sendError } from '../responses/error-body';
import { toApiError } from '../responses/to-api-error';
import { MULTIPART } from './media-type';
import { RawBody } from './raw-body';

/** A request whose body can be read. */
type Incoming = Readable & { readonly headers: IncomingHttpHeaders };

/**
 * Returns the hook that receives the body of a POST or PUT, except a form, which is received after the guards. It is not
 * a parser of Fastify, which would reject a malformed media type before the guards, and close the connection after a 413.
 * @param limit the most bytes, `BODY_LIMIT`
 * @param unavailable why the service accepts no request of this method now
 */
export function receiveBody(
  limit: number,
  unavailable: (method: string) => ApiError | undefined,
): onRequestHookHandler {
  return (request, reply, done) => {
    const { method, raw } = request;
    if (method !== 'POST' && method !== 'PUT') return done();
    const error = unavailable(method);
    if (error) return sendError(reply, error);
    const { headers } = raw;
    const isForm = MULTIPART.accepts(headers['content-type'] ?? '');
    const received = isForm ? Promise.resolve(undefined) : receive(raw, limit);
    received.then(
      (bytes) => {
        request.body = new RawBody(headers, bytes);
        done();
      },
      (refused: unknown) => raw.socket.destroyed || sendError(reply, toApiError(refused)),
    );
  };
}

/**
 * Receives a body up to the limit. The rest is discarded, and the stream stays open: the response needs its socket.
 * @param refusal makes the error for a larger body
 * @param signal ends it early, with its reason
 * @throws ApiError `bodyTooLarge`; `unusableRequest` if the client disconnects
 */
export function receive(
  stream: Incoming,
  limit: number,
  refusal = () => tooLarge('body', limit),
  signal?: AbortSignal,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(stream.headers['content-length'] ?? 0) > limit) throw refusal();
    let bytes: Buffer = Buffer.alloc(0);
    let size = 0;
    const refuse = (error: ApiError): void => {
      stopWatching();
      stream.off('data', onData).resume();
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      if (size + chunk.length > limit) return refuse(refusal());
      if (size + chunk.length > bytes.length) bytes = enlarged(bytes, size + chunk.length, limit);
      size += chunk.copy(bytes, size);
    };
    const stopWatching = finished(stream, { writable: false }, (error) => {
      if (error) refuse(apiError('unusableRequest'));
      else resolve(bytes.subarray(0, size));
    });
    stream.on('data', onData);
    signal?.addEventListener('abort', () => refuse(signal.reason as ApiError));
  });
}

/** Chunks are copied, not kept: a client can send each byte as a chunk, which would take 600 bytes of memory. */
function enlarged(bytes: Buffer, size: number, limit: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.max(size, Math.min(2 * bytes.length, limit)));
  bytes.copy(larger);
  return larger;
}

/** The error `bodyTooLarge` with the limit in bytes. */
export function tooLarge(what: 'body' | 'file', limit: number): ApiError {
  return apiError('bodyTooLarge', `The ${what} is larger than ${limit.toLocaleString('en-US')} bytes.`);
}
