import { ArgumentsHost, Catch, ExceptionFilter, Logger } from '@nestjs/common';
import { FastifyReply, FastifyRequest } from 'fastify';
import { inspect } from 'node:util';
import { sendError } from './send-error';
import { isDatabaseUnavailable, toApiError } from './to-api-error';

/** Headers that describe a successful response. */
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
    this.log(error, request.id);
    // A response was sent already, or the client has disconnected.
    if (reply.sent || reply.raw.headersSent || request.raw.socket.destroyed) return;

    const apiError = toApiError(error);
    for (const name of SUCCESS_HEADERS) if (reply.hasHeader(name)) reply.removeHeader(name);
    if (reply.getHeader('cache-control') !== 'no-store') reply.header('cache-control', 'private, no-cache');
    sendError(reply, apiError);
  }

  /** Logs what the request id of a 500 leads to, and outages without their trace, the same for every request. */
  private log(error: unknown, requestId: string): void {
    if (isDatabaseUnavailable(error)) {
      this.logger.warn({ msg: 'Database unavailable', requestId, reason: `${error.name}: ${error.message}` });
    } else if (toApiError(error).errorName === 'unexpected') {
      const err = error instanceof Error ? error : inspect(error);
      this.logger.error({ msg: 'Unexpected error', requestId, err });
    }
  }
}
