import { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import { Settings } from '../../base/settings/settings';
import { apiError, ErrorName } from '../../base/errors/api-error';
import { errorsPath, sendError } from '../responses/error-body';
import { BODY_LIMIT, receiveBodies } from '../body/receive-body';
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
  requireAvailable: onRequestHookHandler,
): void {
  fastify.decorate('errorsPath', errorsPath(settings));
  const hooks = [
    plainAddresses, //                         what the client's address is read from
    reportEnd(fastify), //                     tells logs and metrics how the request ended
    commonHeaders(settings), //       headers of all responses
    rejectUnusable, //                         400, 414, 417, 431
    limitAddress, //                           429
    respondWithoutRoute(fastify), //           404, 405, OPTIONS
    requireAvailable, //                       503
  ];
  for (const hook of hooks) fastify.addHook('onRequest', hook);
  receiveBodies(fastify, BODY_LIMIT); // 413; 408 if it does not arrive
  fixHeadNotModified(fastify);
}

/**
 * An address of `X-Forwarded-For` with a port, brackets or quotation marks (RFC 7239 §6). Without brackets, only five digits
 * after an IPv6 address, or a ninth group, are a port.
 */
const NODE =
  /(?<=^|,)\s*"?(?:\[([^\],]*)\]|((?:[\da-f:]*:)?\d+\.[\d.]+|(?:[\da-f]+:){7}[\da-f]+|[\da-f:]*(?=:\d{5})|[\da-f:]+))(?::[\w.-]*)?"?\s*(?=,|$)/gi;

/** Leaves only addresses in `X-Forwarded-For`. Fastify takes `203.0.113.7:443` as it is, which is no address to anybody. */
export const plainAddresses: onRequestHookHandler = ({ raw: { headers } }, _reply, done) => {
  const forwarded = headers['x-forwarded-for'] as string | undefined;
  if (forwarded) headers['x-forwarded-for'] = forwarded.replace(NODE, '$1$2');
  done();
};

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
