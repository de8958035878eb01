import { createServer, RequestListener, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** Longest request target in bytes; RFC 9110 §4.1 asks for at least 8,000. */
export const MAX_TARGET = 8 * 1024;
/** Largest header section in bytes, line ends included (contract §9.3). */
export const MAX_HEADERS = 16 * 1024;

/** Pipelined requests that may wait on one connection: each takes a few KB, and a client can send 2,400 with 64 KB. */
const MAX_WAITING = 32;

/** The response to the last request that came over a connection, whether it has been sent or not. */
export const lastResponses = new WeakMap<Socket, ServerResponse>();

/** How many requests of a connection wait. */
const waiting = new WeakMap<Socket, number>();

/** Creates the HTTP server under Fastify, with the limits of contract §8.1 and §9.3; further connections are closed at once. */
export function createHttpServer(handler: RequestListener, maxConnections: number): Server {
  const listener: RequestListener = (request, response) => {
    const { socket } = request;
    const previous = lastResponses.get(socket);
    lastResponses.set(socket, response);
    // Pipelined requests one after another: a client that reads nothing holds one response in memory, not hundreds.
    if (!previous || previous.writableFinished) return handler(request, response);
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > MAX_WAITING) return void socket.destroy();
    waiting.set(socket, count);
    previous.once('close', () => {
      waiting.set(socket, waiting.get(socket)! - 1);
      // After a response with `Connection: close`, none follows (RFC 9112 §9.6).
      if (socket.writable) handler(request, response);
    });
  };
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
    listener,
  );
  server.maxConnections = maxConnections;
  // The limit is the size. With a limit on their number, Node would silently drop further headers.
  server.maxHeadersCount = 0;
  // How long a connection may be silent during a request.
  server.setTimeout(30_000);
  // Node's own 417 has no body; `unusableBecause` makes ours.
  server.on('checkExpectation', listener);
  return server;
}
