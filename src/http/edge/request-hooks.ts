import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { finished } from 'node:stream';
import { Settings } from '../../config/settings';
import { UnreadBody } from '../body/unread-body';
import { fixHeadNotModified, respondWithoutRoute } from './routing';

/** The methods whose operations take a body. On other methods it is ignored (contract §1.3). */
const METHODS_WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT']);

/** The methods for which Fastify would check `Content-Type` and parse the body before the guards run. */
const METHODS_FASTIFY_PARSES = ['DELETE', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'QUERY'];

/**
 * Adds the hooks that run between Nest's middleware and the guards, and before a response is sent. Call it right after
 * `NestFactory.create`, before anything registers routes (docs, `app.init()`).
 */
export function addRequestHooks(app: NestFastifyApplication, settings: Settings): void {
  const fastify = app.getHttpAdapter().getInstance();
  respondWithoutRoute(fastify);
  fixHeadNotModified(fastify);
  passBodiesUnread(fastify, settings.bodyLimit);
  receiveBodyBeforeClosing(fastify);
}

/**
 * Makes the body of each POST and PUT an `UnreadBody`, for the pipe to read after the guards (contract §1.1). Fastify is
 * told that no method has a body, so it neither checks the `Content-Type` nor runs a parser.
 */
export function passBodiesUnread(fastify: FastifyInstance, bodyLimit: number): void {
  for (const method of METHODS_FASTIFY_PARSES) {
    fastify.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  }
  fastify.removeAllContentTypeParsers();
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request;
    if (METHODS_WITH_BODY.has(request.method)) request.body = new UnreadBody(raw.headers, raw, bodyLimit);
    done();
  });
}

/**
 * Receives and discards the rest of a body before a response that ends the connection. Node destroys the connection
 * after such a response, and if the client were still sending, it could lose the response. The request timeout limits
 * this. On connections that stay open, Node discards the rest after the response.
 */
function receiveBodyBeforeClosing(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const { raw } = request;
    if (raw.complete !== false || !endsConnection(request, reply)) return done(null, payload);
    finished(raw.resume(), () => done(null, payload));
  });
}

function endsConnection({ headers, raw }: FastifyRequest, reply: FastifyReply): boolean {
  if (raw.httpVersion === '1.0' || reply.getHeader('connection') === 'close') return true;
  return /close/i.test(headers.connection ?? '');
}
