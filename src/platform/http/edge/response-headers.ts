import { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { Settings } from '../../base/settings/settings';
import type { RouteSettings } from '../responses/response';

/** The headers of all responses (contract §2, ADR 9), also of errors of the HTTP parser. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'private, no-cache, no-transform',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  // Accounts get different responses of a path, which can have the same ETag (`/users/me`; RFC 9110 §12.5.5).
  vary: 'Authorization',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Response headers that scripts of an allowed origin may read. */
const EXPOSED = 'ETag, Link, Location, Retry-After, X-Request-Id, X-Total-Count';

/** Request headers that scripts may send; those in lower case are of OpenTelemetry, which names them so. */
const ALLOWED =
  'Authorization, Content-Type, If-Match, If-None-Match, Prefer, X-Request-Id, baggage, traceparent, tracestate';

/** Returns the hook that sets the headers of all responses, and for an allowed `Origin` those of CORS. */
export function commonHeaders(settings: Settings): onRequestHookHandler {
  const origins = new Set(settings.corsOrigins);
  const fixed = origins.size > 0 ? { ...COMMON_HEADERS, vary: 'Authorization, Origin' } : COMMON_HEADERS;
  return (request, reply, done) => {
    reply.headers(fixed).header('x-request-id', request.id);
    const { noStore, anyOrigin } = request.routeOptions.config as RouteSettings;
    if (noStore) reply.header('cache-control', 'no-store');
    // Only a trusted proxy makes it https. Over plain HTTP, browsers must ignore the header (RFC 6797 §8.1). One year, and
    // not for other hosts of the domain, which may not support https.
    if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000');
    const { origin = '' } = request.headers;
    if (anyOrigin || origins.has(origin)) {
      const allowed = anyOrigin ? '*' : origin;
      reply.headers({ 'access-control-allow-origin': allowed, 'access-control-expose-headers': EXPOSED });
    }
    done();
  };
}

/** Adds the headers of the response to a preflight, if the request is one and its origin is allowed. */
export function addPreflightHeaders(request: FastifyRequest, reply: FastifyReply, methods: string): void {
  if (reply.getHeader('access-control-allow-origin') === undefined) return;
  if (request.headers['access-control-request-method'] === undefined) return;
  reply.headers({
    'access-control-allow-methods': methods,
    'access-control-allow-headers': ALLOWED,
    'access-control-max-age': '600',
  });
}
