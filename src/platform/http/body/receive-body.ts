import { finished, type Readable } from 'node:stream';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { type ApiError, apiError } from '../../base/errors/api-error';
import { RawBody } from './raw-body';

/** A request whose body can be read. */
type Incoming = Readable & { readonly headers: IncomingHttpHeaders };

/** The maximum size of a JSON body in bytes (contract §1.5). */
export const BODY_LIMIT = 65_536;

/** What Fastify takes for a media type. */
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+[ \t]*(?:;|$)/;

/**
 * Lets Fastify receive the bodies of POST and PUT, of any media type: the pipe parses them, after the guards. A form is
 * left unread until then.
 * @param limit the most bytes
 */
export function receiveBodies(fastify: FastifyInstance, limit: number): void {
  for (const method of ['DELETE', 'OPTIONS', 'PATCH', 'QUERY']) {
    fastify.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  }
  fastify.removeAllContentTypeParsers();
  // Without `parseAs`: Fastify's own reader keeps each chunk, of which a client can send one per byte.
  fastify.addContentTypeParser('*', (request, _payload, done) => {
    receive(request.raw, limit).then((bytes) => done(null, new RawBody(request, bytes)), done);
  });
  fastify.addContentTypeParser('multipart/form-data', (request, _payload, done) => done(null, new RawBody(request)));
  // Fastify would reject a malformed media type before the guards, and leaves a body without one unparsed if it is empty.
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { method, raw } = request;
    const hasBody = method === 'POST' || method === 'PUT';
    if (hasBody && !MEDIA_TYPE.test(raw.headers['content-type'] ?? ''))
      request.headers = { 'content-type': 'any/type' };
    done();
  });
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
