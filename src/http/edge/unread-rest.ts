import { IncomingMessage, ServerResponse } from 'node:http';
import { lingeringClose } from './lingering-close';

/**
 * Bounds what is read of a body that nobody asked for (contract §1.1). After an answer, Node reads the rest of the
 * request's body to its end, 200 MB of it if need be, so that the connection can take the next request. Here:
 * - a body whose declared length is within the limit is discarded by Node, and the connection lives on;
 * - one in chunks is discarded and counted, and the connection is closed when it grows beyond the limit;
 * - otherwise the answer says `Connection: close`, and the connection is closed once the answer is sent.
 *
 * @param limit bytes, `BODY_LIMIT`
 */
export function boundUnreadRest(request: IncomingMessage, response: ServerResponse, limit: number): void {
  const length = request.headers['content-length'];
  const chunked = request.headers['transfer-encoding'] !== undefined;
  if (length === undefined && !chunked) return;
  if (Number(length) > limit) closeUnlessComplete(request, response);
  // Before Node's own listener, which begins to read the rest, or destroys the socket.
  response.prependListener('finish', () => {
    if (request.complete) return;
    if (!response.shouldKeepAlive) lingeringClose(request.socket, limit);
    else if (chunked) discardRest(request, limit);
  });
}

/** Reads the rest of a body of unknown length; what is being read, Node leaves alone. */
function discardRest(request: IncomingMessage, limit: number): void {
  let discarded = 0;
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > limit) lingeringClose(request.socket, 0);
  });
  request.resume();
}

/** The connection ends with an answer that begins before the body has wholly arrived. */
function closeUnlessComplete(request: IncomingMessage, response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  response.writeHead = (...args: unknown[]) => {
    if (!request.complete) response.shouldKeepAlive = false;
    return writeHead(...args);
  };
}

/**
 * Puts `100 Continue` off until somebody reads the body (RFC 9110 §10.1.1): a client that expects it then learns of a
 * 401 or 404 without having sent the body.
 */
export function deferContinue(request: IncomingMessage, response: ServerResponse): void {
  const read = request._read.bind(request);
  request._read = (size) => {
    request._read = read;
    if (!response.headersSent) response.writeContinue();
    read(size);
  };
}
