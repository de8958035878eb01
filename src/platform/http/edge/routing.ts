import { FastifyInstance, onRequestHookHandler, onSendHookHandler } from 'fastify';
import { apiError } from '../../base/errors/api-error';
import { sendError } from '../responses/error-body';
import { addPreflightHeaders } from './response-headers';

/** The methods of the contract (§0). OPTIONS has no routes. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];

/** Returns the hook that responds to requests without a route (contract §1.3): 404, 405, and OPTIONS. */
export function respondWithoutRoute(fastify: FastifyInstance): onRequestHookHandler {
  return (request, reply, done) => {
    if (!request.is404 && isComplete(request.params as RouteParams)) return done();
    const { url, originalUrl } = request;
    const methodsOf = (path: string): string[] => METHODS.filter((method) => hasRoute(fastify, method, path));
    const supported = originalUrl === '*' ? METHODS : methodsOf(url);
    if (supported.length === 0) {
      const [path = ''] = url.split('?', 1);
      const hasSlash = path.endsWith('/') && methodsOf(path.slice(0, -1)).length > 0;
      return sendError(
        reply,
        apiError('pathNotFound', hasSlash ? 'No such path: paths have no trailing slash.' : undefined),
      );
    }
    const allow = [...supported, 'OPTIONS'].join(', ');
    const { method } = request;
    if (method !== 'OPTIONS') {
      const advice = method === 'PATCH' && supported.includes('PUT') ? ' Use PUT.' : '';
      const message = `This path supports only ${allow}.${advice}`;
      return sendError(reply, apiError('methodNotAllowed', message, { allow }));
    }
    addPreflightHeaders(request, reply, allow);
    reply.code(204).header('allow', allow).send();
  };
}

type RouteParams = Readonly<Record<string, string | undefined>>;

/** Checks that a route matches and no parameter is empty. */
function hasRoute(fastify: FastifyInstance, method: string, url: string): boolean {
  const route = fastify.findRoute({ method, url });
  return route !== null && isComplete(route.params);
}

function isComplete(params: RouteParams): boolean {
  return Object.entries(params).every(([name, value]) => value !== '' || name === '*');
}

/** Removes the Content-Length that Fastify sets on a 304 to HEAD: it would describe the record (RFC 9110 §8.6). */
export function fixHeadNotModified(fastify: FastifyInstance): void {
  const removeLength: onSendHookHandler = (_request, reply, payload, done) => {
    if (reply.statusCode === 304) reply.removeHeader('content-length');
    done(null, payload);
  };
  fastify.addHook('onRoute', (route) => {
    // After Fastify's own hook, which sets the header.
    if (route.method === 'HEAD') route.onSend = [...[route.onSend ?? []].flat(), removeLength];
  });
}
