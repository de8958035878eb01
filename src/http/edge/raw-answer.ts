import { randomUUID } from 'node:crypto';
import { IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http';
import { errorBody, errorHeaders } from '../../errors/error-body';
import { apiError, ApiError } from '../../errors/api-error';
import { EVERY_ANSWER } from './answer-headers';

/** The methods that paths have (contract §4), for what is asked of the server as a whole (`OPTIONS *`, CONNECT). */
const SERVER_METHODS = 'GET, HEAD, POST, PUT, DELETE, OPTIONS';

/** Answers a request that Fastify does not see with a failure, and ends the connection: what follows is not trusted. */
export function refuse(response: ServerResponse, failure: ApiError): void {
  const body = errorBody(failure);
  response.shouldKeepAlive = false;
  response.writeHead(failure.status, { ...headersOf(failure), 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

/** Answers `OPTIONS *` (RFC 9110 §9.3.7). */
export function answerServerOptions(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(204, { ...EVERY_ANSWER, 'x-request-id': randomUUID(), allow: SERVER_METHODS });
  response.end();
}

/** A whole answer as it stands on the wire, for sockets without a response object. It echoes nothing of the input. */
export function rawAnswer(failure: ApiError): string {
  const body = errorBody(failure);
  const headers = Object.entries({
    ...headersOf(failure),
    'content-length': Buffer.byteLength(body),
    connection: 'close',
    date: new Date().toUTCString(),
  });
  const fields = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}\r\n${fields}\r\n${body}`;
}

/** The answer to CONNECT, which asks for a tunnel instead of a path. */
export function tunnelAnswer(): string {
  return rawAnswer(apiError('methodNotAllowed', undefined, { Allow: SERVER_METHODS }));
}

function headersOf(failure: ApiError): Record<string, string> {
  return { ...EVERY_ANSWER, ...errorHeaders(failure), 'x-request-id': randomUUID() };
}
