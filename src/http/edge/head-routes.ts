import { FastifyInstance } from 'fastify';

/**
 * Keeps Content-Length out of a 304 to HEAD, as it is out of one to GET. Fastify gives every HEAD the length of the
 * body that GET would send, and a 304 has none: the record would be said to be empty (RFC 9110 §8.6). Called once,
 * before the routes are registered.
 */
export function leaveLengthOutOf304(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') return;
    // Behind Fastify's own, which sets the header.
    route.onSend = [
      ...[route.onSend ?? []].flat(),
      (_request, reply, payload, done) => {
        if (reply.statusCode === 304) reply.removeHeader('content-length');
        done(null, payload);
      },
    ];
  });
}
