import { createServer, RequestListener, Server } from 'node:http';

/** Longest request target in bytes; RFC 9110 §4.1 asks for at least 8,000. */
export const MAX_TARGET = 8 * 1024;
/** Largest header section in bytes, line ends included (contract §9.3). */
export const MAX_HEADERS = 16 * 1024;

/** The most connections at the same time (contract §8.1). */
export const MAX_CONNECTIONS = 10_000;

/** Creates the HTTP server under Fastify, with the limits of contract §8.1 and §9.3; further connections are closed immediately. */
export function createHttpServer(handler: RequestListener, maxConnections = MAX_CONNECTIONS): Server {
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 10_000,
      connectionsCheckingInterval: 1000,
      // Longer than load balancers keep idle connections (60 s).
      keepAliveTimeout: 65_000,
      // Node counts target, names and values together. `unusableBecause` checks each limit.
      maxHeaderSize: MAX_TARGET + MAX_HEADERS + 1,
      // Node's own response to a missing Host has no body.
      requireHostHeader: false,
    },
    handler,
  );
  server.maxConnections = maxConnections;
  // The limit is the size. With a limit on their number, Node would silently drop further headers.
  server.maxHeadersCount = 0;
  // How long a connection may be silent during a request.
  server.setTimeout(30_000);
  // Node's own 417 has no body; `unusableBecause` makes ours.
  server.on('checkExpectation', handler);
  return server;
}
