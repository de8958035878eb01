import { FastifyInstance, onRequestHookHandler, onSendHookHandler } from 'fastify';
import { finished } from 'node:stream';
import { Settings } from '../../config/settings';
import { UnreadBody } from '../body/unread-body';
import { reportEnd } from '../request-end';
import { commonHeaders } from './response-headers';
import { fixHeadNotModified, respondWithoutRoute } from './routing';
import { rejectUnusable } from './unusable-request';

/**
 * Adds the hooks of a request, in the order in which they run: one that responds ends the request. Before them comes the
 * HTTP parser (client-error.ts), after them the checks of app.module.ts. Call it before anything registers a route.
 * @param limitAddress counts the requests of an address
 */
export function addRequestHooks(
  fastify: FastifyInstance,
  settings: Settings,
  limitAddress: onRequestHookHandler = (_request, _reply, done) => done(),
): void {
  const hooks = [
    reportEnd(fastify), //                     tells logs and metrics how the request ended
    commonHeaders(fastify, settings), //       headers of all responses
    rejectUnusable, //                         400, 414, 417, 431
    limitAddress, //                           429
    respondWithoutRoute(fastify), //           404, 405, OPTIONS
    leaveBodyUnread(fastify, settings.bodyLimit), // for the pipe, after the guards
  ];
  for (const hook of hooks) fastify.addHook('onRequest', hook);
  fastify.addHook('onSend', receiveBodyBeforeClosing);
  fixHeadNotModified(fastify);
}

/**
 * Makes the body of each POST and PUT an `UnreadBody`, for the pipe to read after the guards (contract §1.1). Bodies of
 * other methods are ignored (§1.3). For Fastify no method has a body, so it checks no `Content-Type` and parses nothing.
 */
function leaveBodyUnread(fastify: FastifyInstance, bodyLimit: number): onRequestHookHandler {
  for (const method of ['DELETE', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'QUERY']) {
    fastify.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  }
  fastify.removeAllContentTypeParsers();
  return (request, _reply, done) => {
    const { method, raw } = request;
    if (method === 'POST' || method === 'PUT') request.body = new UnreadBody(raw.headers, raw, bodyLimit);
    done();
  };
}

/**
 * Discards the rest of a body before a response that ends the connection: a client that is still sending when Node
 * destroys the connection could lose the response. The request timeout limits this.
 */
const receiveBodyBeforeClosing: onSendHookHandler = (request, reply, payload, done) => {
  const { raw, headers } = request;
  const connection = [reply.getHeader('connection'), headers.connection].join();
  const isLast = raw.httpVersion === '1.0' || /close/i.test(connection);
  if (raw.complete !== false || !isLast) return done(null, payload);
  finished(raw.resume(), () => done(null, payload));
};
