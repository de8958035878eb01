import { ArgumentsHost, Catch, ExceptionFilter, Logger } from '@nestjs/common';
import { FastifyReply, FastifyRequest } from 'fastify';
import { validateHeaderValue } from 'node:http';
import { inspect } from 'node:util';
import { Settings } from '../../base/settings/settings';
import { sendError } from './error-body';
import { isDatabaseUnavailable } from '../../records/driver/database-errors';
import { toApiError } from './to-api-error';

/**
 * Turns whatever an operation throws into an error response (contract §2). Headers that were set before stay, so set
 * those of a success last.
 */
@Catch()
export class ApiExceptionFilter implements ExceptionFilter {
  private readonly logger = new Logger(ApiExceptionFilter.name);

  constructor(private readonly settings: Settings) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    this.log(error, request.id);
    // A response has begun, or the client has disconnected.
    if (reply.raw.headersSent || request.raw.socket.destroyed) return;

    removeInvalidHeaders(reply);
    sendError(reply, toApiError(error), this.settings.basePath);
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

/** With a header that cannot be sent, Fastify would replace the response by one of its own form. */
function removeInvalidHeaders(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    try {
      validateHeaderValue(name, String(value));
    } catch {
      reply.removeHeader(name);
    }
  }
}
