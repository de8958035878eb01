import { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorBody, errorHeaders } from '../../errors/error-body';
import { apiError, ApiError } from '../../errors/api-error';
import { answerPreflight } from './answer-headers';

const OPTIONS = 'OPTIONS';

/**
 * Answers what reaches no operation before anything that an operation has: an unknown path (404 1301), a method that a
 * known path lacks (405 1400 with `Allow`), and OPTIONS (204 with `Allow`); contract §1.3.
 *
 * The methods of a path are asked of Fastify's own router, so that a new route needs nothing here.
 *
 * @param isNoStore tells where answers hold secrets (`noStoreRoutes`)
 */
export function judgePaths(fastify: FastifyInstance, isNoStore: (target: string) => boolean): void {
  const methods = new Set<string>();
  fastify.addHook('onRoute', (route) => {
    for (const method of [route.method].flat()) methods.add(method);
  });

  fastify.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    if (isNoStore(request.raw.url!)) reply.header('cache-control', 'no-store');
    const allowed = methodsAt(fastify, methods, request.raw.url!);
    if (allowed.length === 0) return sendFailure(reply, apiError('pathNotFound'));
    answerForPath(request, reply, [...allowed, OPTIONS].join(', '));
  });
}

/** OPTIONS on a known path is answered here; any other method was none of the path's. */
function answerForPath(request: FastifyRequest, reply: FastifyReply, allow: string): void {
  if (request.method !== OPTIONS) return sendFailure(reply, apiError('methodNotAllowed', undefined, { Allow: allow }));
  answerPreflight(request, reply, allow);
  reply.code(204).header('allow', allow).send();
}

/** The methods that the path has, in the order in which routes first declared them. */
function methodsAt(fastify: FastifyInstance, methods: ReadonlySet<string>, url: string): string[] {
  return [...methods].filter((method) => {
    const route = fastify.findRoute({ method, url });
    return route !== null && namesSomething(route.params);
  });
}

/**
 * No parameter is empty: `/organizations//managers/x` is no path (contract §1.3), though the router matches it. Where the
 * method matches too, Nest's adapter sees to that.
 */
function namesSomething(params: unknown): boolean {
  const values = params as Readonly<Record<string, string | undefined>>;
  for (const name in values) if (values[name] === '' && name !== '*') return false;
  return true;
}

/** Ends a request that no operation sees, nor therefore the exception filter. */
export function sendFailure(reply: FastifyReply, failure: ApiError): void {
  reply.status(failure.status).headers(errorHeaders(failure)).send(errorBody(failure));
}
