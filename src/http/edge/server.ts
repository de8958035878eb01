import { createServer, RequestListener, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** Longest request target in bytes; RFC 9110 §4.1 asks for at least 8,000. */
export const MAX_TARGET = 8 * 1024;
/** Largest header section in bytes, line ends included (contract §1.3). */
export const MAX_HEADERS = 16 * 1024;

/** Time limits in milliseconds. */
const REQUEST_TIMEOUT = 10_000;
const TIMEOUT_CHECK_INTERVAL = 1000;
/** How long a connection may be silent during a request. */
const SILENCE_TIMEOUT = 30_000;
/** How long an idle connection stays open: longer than load balancers keep theirs (60 s). */
const KEEP_ALIVE_TIMEOUT = 65_000;

const lastResponses = new WeakMap<Socket, ServerResponse>();

/** The response to the last request that came over the connection, whether it has been sent or not. */
export function lastResponse(socket: Socket): ServerResponse | undefined {
  return lastResponses.get(socket);
}

/** Creates the HTTP server under Fastify, with the limits of contract §1.1. */
export function createHttpServer(handler: RequestListener): Server {
  const listener: RequestListener = (request, response) => {
    lastResponses.set(request.socket, response);
    handler(request, response);
  };
  const server = createServer(
    {
      headersTimeout: REQUEST_TIMEOUT,
      requestTimeout: REQUEST_TIMEOUT,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
      connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL,
      // Node counts target, names and values together. `unusableBecause` checks each limit.
      maxHeaderSize: MAX_TARGET + MAX_HEADERS + 1,
      // Node's own response to a missing Host has no body.
      requireHostHeader: false,
    },
    listener,
  );
  // The limit is the size. With a limit on their number, Node would silently drop further headers.
  server.maxHeadersCount = 0;
  server.setTimeout(SILENCE_TIMEOUT);
  // Node's own 417 has no body; `unusableBecause` makes ours.
  server.on('checkExpectation', listener);
  return server;
}
