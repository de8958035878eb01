import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { apiError, ApiError } from '../../base/errors/api-error';
import { errorBody, errorHeaders, sendError } from '../responses/error-body';
import { COMMON_HEADERS } from './response-headers';

/** Responds to what the HTTP parser rejects or did not get in time (contract §1.1), and closes the connection. */
export function handleClientError(
  error: Error & { code?: string },
  socket: Socket,
  errorsPage: string | undefined,
): void {
  // Already handled: Node may report further errors of the same connection.
  if (socket.writableEnded) return;
  const response = responseTo(error.code);
  if (response === undefined || !socket.writable || !isNextResponse(socket)) return void socket.destroy();
  // Destroyed while the client is still sending, the connection could lose the response: the client has 2 s to read it.
  socket.end(rawResponse(response, errorsPage));
  socket.pause();
  const timer = setTimeout(() => socket.destroy(), 2000);
  socket.once('close', () => clearTimeout(timer));
}

const INVALID_TARGET = 'The request target must begin with a slash, and have percent-encoding for all but ASCII.';

/** Responds to a path that the router cannot decode. Fastify runs no hooks for it. */
export function rejectTarget({ id }: FastifyRequest, reply: FastifyReply): void {
  reply.headers({ ...COMMON_HEADERS, 'x-request-id': id, connection: 'close' });
  sendError(reply, apiError('unusableRequest', INVALID_TARGET));
}

function responseTo(code = ''): ApiError | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return apiError('requestTimeout');
  if (code === 'HPE_HEADER_OVERFLOW') return apiError('headersTooLarge');
  if (code === 'HPE_INVALID_URL') return apiError('unusableRequest', INVALID_TARGET);
  return code.startsWith('HPE_') ? apiError('unusableRequest') : undefined;
}

/** What Node.js keeps of a connection: its first response that has not ended, and the last request whose headers arrived. */
interface Connection extends Socket {
  _httpMessage?: ServerResponse | null;
  parser?: { incoming: IncomingMessage | null } | null;
}

/** False while an earlier request waits for its response, and once the response to this one has begun. */
function isNextResponse({ _httpMessage: current, parser }: Connection): boolean {
  if (current) return !current.req.complete && !current.headersSent;
  // A request whose body still arrives has had its response.
  return parser?.incoming?.complete !== false;
}

/** A complete response as text. It repeats nothing of the request. */
function rawResponse(error: ApiError, errorsPage: string | undefined): string {
  const body = errorBody(error);
  const headers = {
    ...COMMON_HEADERS,
    ...errorHeaders(error, errorsPage),
    'x-request-id': randomUUID(),
    'content-length': Buffer.byteLength(body),
    connection: 'close',
    date: new Date().toUTCString(),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${body}`;
}
