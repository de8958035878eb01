import { createServer, IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { apiError, ErrorName } from '../../errors/api-error';
import { lingeringClose } from './lingering-close';
import { answerServerOptions, refuse, tunnelAnswer } from './raw-answer';
import { isReadableTarget } from './request-target';
import { boundUnreadRest, deferContinue } from './unread-rest';

/** Longest request target in bytes; RFC 9110 §4.1 asks for 8,000 at least. */
const MAX_TARGET = 8 * 1024;
/** Largest header section in bytes, its line ends included (contract §1.3). */
const MAX_HEADERS = 16 * 1024;
/** Milliseconds for a whole request to arrive; half a body would otherwise hold its socket for ever. */
const REQUEST_TIMEOUT = 10_000;
/** Milliseconds of silence during a request after which its connection is dropped. */
const CONNECTION_TIMEOUT = 30_000;
/** Milliseconds for which a connection without a request stays open: longer than load balancers keep theirs (60 s). */
const KEEP_ALIVE_TIMEOUT = 65_000;
/** Milliseconds between two looks for requests that are out of time. */
const TIMEOUT_CHECK = 1000;

/**
 * Makes the HTTP server under Fastify: the limits of the parser, and everything that is judged before a path
 * (contract §1.1). What its parser refuses goes to `clientError`.
 * @param handler Fastify's own listener
 * @param bodyLimit bytes of an unread body that are discarded at most, `BODY_LIMIT`
 */
export function createHttpServer(handler: RequestListener, bodyLimit: number): Server {
  const serve: RequestListener = (request, response) => {
    boundUnreadRest(request, response, bodyLimit);
    const unusable = unusableAs(request);
    if (unusable !== undefined) return refuse(response, apiError(unusable));
    if (request.url === '*') return answerServerOptions(request, response);
    handler(request, response);
  };
  const server = createServer(
    {
      headersTimeout: REQUEST_TIMEOUT,
      requestTimeout: REQUEST_TIMEOUT,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
      connectionsCheckingInterval: TIMEOUT_CHECK,
      // Node counts target, names and values together, without separators; each has its own limit below.
      maxHeaderSize: MAX_TARGET + MAX_HEADERS + 1,
      // Node's own answer to a missing Host has no body.
      requireHostHeader: false,
    },
    serve,
  );
  // The size of the section is the limit: beyond a number of fields, Node would drop the others silently.
  server.maxHeadersCount = 0;
  server.setTimeout(CONNECTION_TIMEOUT);
  listenToExceptions(server, serve, bodyLimit);
  return server;
}

/** Answers the requests for which Node has events of their own. */
function listenToExceptions(server: Server, serve: RequestListener, bodyLimit: number): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    deferContinue(request, response);
    serve(request, response);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    boundUnreadRest(request, response, bodyLimit);
    refuse(response, apiError(unusableAs(request) ?? 'expectationFailed'));
  });
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    socket.write(tunnelAnswer());
    lingeringClose(socket, bodyLimit);
  });
}

/** Why the request cannot be used at all, or undefined: what RFC 9112 asks for beyond what the parser checks. */
function unusableAs(request: IncomingMessage): ErrorName | undefined {
  // The parser lets `HTTP/0.9` and `HTTP/2.0` pass.
  if (request.httpVersionMajor !== 1) return 'unusableRequest';
  const target = request.url!;
  if (target.length > MAX_TARGET) return 'uriTooLong';
  if (!isReadableTarget(target) && !(target === '*' && request.method === 'OPTIONS')) return 'unusableRequest';
  return unusableHeaders(request);
}

/** A header section over its limit, or without the one Host that HTTP/1.1 requires (RFC 9112 §3.2). */
function unusableHeaders(request: IncomingMessage): ErrorName | undefined {
  const { rawHeaders } = request;
  let size = 2;
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    size += name.length + rawHeaders[i + 1]!.length + 4;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  if (size > MAX_HEADERS) return 'headersTooLarge';
  if (hosts > 1 || (hosts === 0 && request.httpVersionMinor === 1)) return 'unusableRequest';
  return undefined;
}
