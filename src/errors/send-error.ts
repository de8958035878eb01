import type { FastifyReply } from 'fastify';
import { ApiError } from './api-error';
import { errorBody, errorHeaders } from './error-body';

declare module 'fastify' {
  interface FastifyReply {
    /** The code of the error in the response, for the log and the metrics. */
    errorCode?: number;
  }
}

/** Sends an error response (contract §2). */
export function sendError(reply: FastifyReply, error: ApiError): void {
  reply.errorCode = error.code;
  reply.status(error.status).headers(errorHeaders(error)).send(errorBody(error));
}
