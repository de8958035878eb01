import { FastifyInstance } from 'fastify';
import { UnreadBody } from '../body/unread-body';

/** The methods whose operations take a body (contract §1.3: on others it is ignored). */
const METHODS_WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT']);

/** What Fastify parses the `Content-Type` of, and answers 415 for, before any guard. */
const METHODS_THAT_FASTIFY_PARSES = ['DELETE', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'QUERY'];

/**
 * Makes the body of every POST and PUT an `UnreadBody`, with or without content or media type, and leaves the bodies of
 * other methods alone: they are ignored (contract §1.3).
 *
 * Fastify is told that no method has a body, so that it neither judges a `Content-Type` before the guards nor looks for
 * a parser: its content-type parsers do not run at all, those of plugins included.
 */
export function handOverUnreadBodies(fastify: FastifyInstance, bodyLimit: number): void {
  for (const method of METHODS_THAT_FASTIFY_PARSES) {
    fastify.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  }
  fastify.removeAllContentTypeParsers();
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request;
    if (METHODS_WITH_BODY.has(raw.method!)) request.body = new UnreadBody(raw.headers, raw, bodyLimit);
    done();
  });
}
