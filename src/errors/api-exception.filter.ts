import { ArgumentsHost, Catch, ExceptionFilter, Logger } from '@nestjs/common';
import { FastifyReply, FastifyRequest } from 'fastify';
import { inspect } from 'node:util';
import { errorBody, errorHeaders } from './error-body';
import { toApiError, isDatabaseUnavailable } from './to-api-error';

/** Headers that described the record that the failure now stands in for. */
const ABOUT_SUCCESS = [
  'content-disposition',
  'content-encoding',
  'content-length',
  'etag',
  'last-modified',
  'link',
  'location',
];

/**
 * The one global exception filter: whatever an operation fails with becomes an answer here (contract §2), errors of our
 * own, of the framework, of the database and unforeseen ones alike. What fails before there is an operation is answered
 * in src/http/edge.
 */
@Catch()
export class ApiExceptionFilter implements ExceptionFilter {
  private readonly logger = new Logger(ApiExceptionFilter.name);

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    // Somebody answered already, or nobody is there to read: an aborted upload is no unexpected condition.
    if (reply.sent || reply.raw.headersSent || request.raw.socket.destroyed) return;

    const failure = toApiError(error);
    if (failure.errorName === 'unexpected') this.logUnexpected(error, request.id);
    else if (isDatabaseUnavailable(error)) this.logUnavailable(error, request.id);

    for (const name of ABOUT_SUCCESS) reply.removeHeader(name);
    if (reply.getHeader('cache-control') !== 'no-store') reply.header('cache-control', 'private, no-cache');
    reply.status(failure.status).headers(errorHeaders(failure)).send(errorBody(failure));
  }

  /** The one log line that the request id of a 500 leads to. */
  private logUnexpected(error: unknown, requestId: string): void {
    const err = error instanceof Error ? error : inspect(error);
    this.logger.error({ msg: 'Unexpected condition', requestId, err });
  }

  /** Without the trace: while the database is away, every request has the same one. */
  private logUnavailable({ name, message }: Error, requestId: string): void {
    this.logger.warn({ msg: 'Database unavailable', requestId, reason: `${name}: ${message}` });
  }
}
