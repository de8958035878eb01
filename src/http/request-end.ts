import { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** How a request ended. */
export interface RequestEnd {
  readonly request: FastifyRequest;
  /** The status of the answer, or 499 where the client went away before there was one. */
  readonly status: number;
  /** From the end of the header section to the end of the answer. */
  readonly milliseconds: number;
}

/**
 * Calls `listener` at the end of every request that reached the router. Fastify's own `onResponse` never hears of a
 * request whose client went away, and a gauge of requests in flight would count those for ever.
 */
export function onRequestEnd(
  fastify: FastifyInstance,
  listener: (end: RequestEnd) => void,
  onStart?: (request: FastifyRequest) => void,
): void {
  fastify.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, done) => {
    const start = performance.now();
    onStart?.(request);
    reply.raw.once('close', () => {
      const status = reply.raw.writableEnded ? reply.raw.statusCode : 499;
      listener({ request, status, milliseconds: performance.now() - start });
    });
    done();
  });
}
