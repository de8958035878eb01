import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { FastifyInstance } from 'fastify';
import { finished } from 'node:stream';
import { Settings } from '../../config/settings';
import { UnreadBody } from '../body/unread-body';
import { fixHeadNotModified, respondWithoutRoute } from './routing';

/**
 * Adds the hooks that run before the guards and before a response is sent. Call it right after `NestFactory.create`,
 * before anything registers routes (docs, `app.init()`).
 */
export function addRequestHooks(app: NestFastifyApplication, settings: Settings): void {
  const fastify = app.getHttpAdapter().getInstance();
  respondWithoutRoute(fastify);
  fixHeadNotModified(fastify);
  passBodiesUnread(fastify, settings.bodyLimit);
  receiveBodyBeforeClosing(fastify);
}

/**
 * Makes the body of each POST and PUT an `UnreadBody`, for the pipe to read after the guards (contract §1.1). Bodies of
 * other methods are ignored (§1.3). For Fastify no method has a body, so it checks no `Content-Type` and parses nothing.
 */
function passBodiesUnread(fastify: FastifyInstance, bodyLimit: number): void {
  for (const method of ['DELETE', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'QUERY']) {
    fastify.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  }
  fastify.removeAllContentTypeParsers();
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { method, raw } = request;
    if (method === 'POST' || method === 'PUT') request.body = new UnreadBody(raw.headers, raw, bodyLimit);
    done();
  });
}

/**
 * Discards the rest of a body before a response that ends the connection: a client that is still sending when Node
 * destroys the connection could lose the response. The request timeout limits this.
 */
function receiveBodyBeforeClosing(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const { raw, headers } = request;
    const connection = [reply.getHeader('connection'), headers.connection].join();
    const isLast = raw.httpVersion === '1.0' || /close/i.test(connection);
    if (raw.complete !== false || !isLast) return done(null, payload);
    finished(raw.resume(), () => done(null, payload));
  });
}
