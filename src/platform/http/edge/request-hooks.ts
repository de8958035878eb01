import { FastifyInstance, FastifyRequest, onRequestHookHandler, onSendHookHandler } from 'fastify';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Settings } from '../../base/settings/settings';
import { type ApiError, apiError, ErrorName } from '../../base/errors/api-error';
import { errorsPath, sendError } from '../responses/error-body';
import { receiveBody } from '../body/receive-body';
import { reportEnd } from './request-end';
import { commonHeaders } from './response-headers';
import { fixHeadNotModified, respondWithoutRoute } from './routing';
import { MAX_HEADERS, MAX_TARGET } from './server';

/**
 * Adds the hooks of a request in their order: one that responds ends the request. Before them comes the HTTP parser
 * (client-error.ts), after them the checks of app.module.ts. Call it before anything registers a route.
 */
export function addRequestHooks(
  fastify: FastifyInstance,
  settings: Settings,
  limitAddress: onRequestHookHandler,
  unavailable: (method: string) => ApiError | undefined,
): void {
  leaveBodiesToHook(fastify);
  fastify.decorate('errorsPath', errorsPath(settings));
  const hooks = [
    reportEnd(fastify), //                     tells logs and metrics how the request ended
    commonHeaders(settings), //       headers of all responses
    rejectUnusable, //                         400, 414, 417, 431
    limitAddress, //                           429
    respondWithoutRoute(fastify), //           404, 405, OPTIONS
    receiveBody(settings.bodyLimit, unavailable), // 503, 413; 408 if it does not arrive
  ];
  for (const hook of hooks) fastify.addHook('onRequest', hook);
  fastify.addHook('onSend', receiveBodyBeforeClosing);
  fixHeadNotModified(fastify);
}

/** Rejects requests that cannot be used at all, and closes the connection. */
const rejectUnusable: onRequestHookHandler = (request, reply, done) => {
  const error = unusableBecause(request);
  if (error === undefined) return done();
  sendError(reply.header('connection', 'close'), apiError(error));
};

/** Headers of which Node would silently take the first: a proxy may have checked the other one. */
const SINGLE = ['host', 'authorization', 'content-type'];

/** Checks what RFC 9112 and contract §9.3 require beyond what Node checks. */
function unusableBecause({ raw, originalUrl }: FastifyRequest): ErrorName | undefined {
  if (originalUrl.length > MAX_TARGET) return 'uriTooLong';
  // In bytes, with `: ` or a line end after each text and an empty line at the end.
  const headerSize = raw.rawHeaders.reduce((size, text) => size + text.length + 2, 2);
  if (headerSize > MAX_HEADERS) return 'headersTooLarge';
  const names = raw.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  if (SINGLE.some((name) => names.indexOf(name) !== names.lastIndexOf(name))) return 'unusableRequest';
  if (!names.includes('host') && raw.httpVersion === '1.1') return 'unusableRequest';
  // Origin-form, absolute-form or asterisk-form (RFC 9112 §3.2).
  const isAboutServer = originalUrl === '*' && raw.method === 'OPTIONS';
  if (!isAboutServer && !/^(?:\/|https?:\/\/[^/?#])/i.test(originalUrl)) return 'unusableRequest';
  return /100-continue/i.test(raw.headers.expect ?? '100-continue') ? undefined : 'expectationFailed';
}

/** For Fastify no method has a body, so it checks and parses nothing. */
function leaveBodiesToHook(fastify: FastifyInstance): void {
  for (const method of ['DELETE', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'QUERY']) {
    fastify.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  }
}

/**
 * Discards the rest of a body before the connection is closed: a client that still sends could lose the response. It gets
 * the response at once, and the end of the connection after its body.
 */
const receiveBodyBeforeClosing: onSendHookHandler = (request, reply, payload, done) => {
  const { raw, headers } = request;
  const connection = [reply.getHeader('connection'), headers.connection].join();
  const isLast = raw.httpVersion === '1.0' || /close/i.test(connection);
  if (raw.complete !== false || !isLast) return done(null, payload);
  const received = finished(raw.resume()).catch(() => undefined);
  if (typeof payload !== 'string') return void received.then(() => done(null, payload));
  reply.header('content-length', Buffer.byteLength(payload));
  done(null, Readable.from(followedBy(received, payload)));
};

async function* followedBy(end: Promise<unknown>, payload: string): AsyncGenerator<string> {
  yield payload;
  await end;
}
