import { ArgumentsHost, Catch, ExceptionFilter, Logger } from '@nestjs/common';
import { FastifyReply, FastifyRequest } from 'fastify';
import { inspect } from 'node:util';
import { errorBody, errorHeaders } from './error-body';
import { isDatabaseUnavailable, toApiError } from './to-api-error';

/** Headers that described the successful response. */
const SUCCESS_HEADERS = [
  'content-disposition',
  'content-encoding',
  'content-length',
  'etag',
  'last-modified',
  'link',
  'location',
];

/**
 * The global exception filter: turns whatever an operation throws into an error response (contract §2). Errors that
 * occur before an operation is reached are sent by src/http/edge.
 */
@Catch()
export class ApiExceptionFilter implements ExceptionFilter {
  private readonly logger = new Logger(ApiExceptionFilter.name);

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    // A response was sent already, or the client has disconnected: an aborted upload is not an unexpected error.
    if (reply.sent || reply.raw.headersSent || request.raw.socket.destroyed) return;

    const apiError = toApiError(error);
    if (apiError.errorName === 'unexpected') this.logUnexpected(error, request.id);
    else if (isDatabaseUnavailable(error)) this.logUnavailable(error, request.id);

    for (const name of SUCCESS_HEADERS) reply.removeHeader(name);
    if (reply.getHeader('cache-control') !== 'no-store') reply.header('cache-control', 'private, no-cache');
    reply.status(apiError.status).headers(errorHeaders(apiError)).send(errorBody(apiError));
  }

  /** The log line that the request id of a 500 leads to. */
  private logUnexpected(error: unknown, requestId: string): void {
    const err = error instanceof Error ? error : inspect(error);
    this.logger.error({ msg: 'Unexpected error', requestId, err });
  }

  /** Without the stack trace: during an outage it is the same for every request. */
  private logUnavailable({ name, message }: Error, requestId: string): void {
    this.logger.warn({ msg: 'Database unavailable', requestId, reason: `${name}: ${message}` });
  }
}
