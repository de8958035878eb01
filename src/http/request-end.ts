import { FastifyInstance, FastifyRequest } from 'fastify';

/** How a request ended. */
export interface RequestEnd {
  readonly request: FastifyRequest;
  /** The status of the response, or 499 if the client disconnected before there was one. */
  readonly status: number;
  /** From the end of the request's headers to the end of the response. */
  readonly milliseconds: number;
}

/** Calls `listener` at the end of every request; Fastify's `onResponse` hook is not called if the client disconnects. */
export function onRequestEnd(
  fastify: FastifyInstance,
  listener: (end: RequestEnd) => void,
  onStart?: (request: FastifyRequest) => void,
): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const start = performance.now();
    onStart?.(request);
    reply.raw.once('close', () => {
      const status = reply.raw.writableEnded ? reply.raw.statusCode : 499;
      listener({ request, status, milliseconds: performance.now() - start });
    });
    done();
  });
}
