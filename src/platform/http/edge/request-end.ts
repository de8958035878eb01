import { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';

export interface RequestEnd {
  readonly request: FastifyRequest;
  /** The status of the response, or 499 if the client disconnected before there was one. */
  readonly status: number;
  readonly code: number | undefined;
  readonly address: string;
  /** From the end of the request's headers to the end of the response. */
  readonly milliseconds: number;
}

const END = 'requestEnd';

/**
 * Calls `end` at the end of every request. Fastify's `onResponse` hook is not called if the client disconnects, and its
 * `onRequestAbort` not once the body has arrived.
 */
export function onRequestEnd({ server }: FastifyInstance, end: (end: RequestEnd) => void): void {
  server.on(END, end);
}

/** Returns the hook that reports the requests. It must be the first: hooks after one that responds do not run. */
export function reportEnd({ server }: FastifyInstance): onRequestHookHandler {
  return (request, reply, done) => {
    const started = performance.now();
    // It is missing once the connection is closed.
    const address = request.ip;
    reply.raw.once('close', () => {
      const status = reply.raw.writableEnded ? reply.raw.statusCode : 499;
      const milliseconds = performance.now() - started;
      server.emit(END, { request, status, code: reply.errorCode, address, milliseconds } satisfies RequestEnd);
    });
    done();
  };
}
