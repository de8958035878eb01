import { FastifyReply, FastifyRequest } from 'fastify';
import { Settings } from '../../config/settings';

/**
 * The headers of all responses, errors of the HTTP parser included (contract §2). An API shows no pages, so nothing may
 * be loaded, framed or embedded; the docs page sets its own Content-Security-Policy. Nest's `useSecurityHeaders()` would
 * set each header on the raw response, which is slower, and would not cover errors of the parser.
 */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'private, no-cache',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** One year, for this host only: the other hosts of the domain may not support https (RFC 6797). */
const HSTS = 'max-age=31536000';

/** The CORS lists of contract §4: response headers that scripts may read, and request headers that they may set. */
const EXPOSED = 'ETag, Link, Location, Retry-After, X-Request-Id, X-Total-Count';
const ALLOWED = 'Authorization, Content-Type, If-Match, If-None-Match, Prefer';
/** How long browsers may keep the response to a preflight, in seconds. */
const PREFLIGHT_MAX_AGE = '600';

type SetHeaders = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Returns the function that sets the headers of all responses, the request id, and for an allowed `Origin` those of
 * CORS. `@fastify/cors` would also respond to OPTIONS on unknown paths.
 * @param noStore paths at and below which all responses are `no-store`, 404 and 405 included
 */
export function commonHeaders(settings: Settings, noStore: ReadonlySet<string>): SetHeaders {
  const origins = new Set(settings.corsOrigins);
  const fixed = origins.size > 0 ? { ...COMMON_HEADERS, vary: 'Origin' } : COMMON_HEADERS;
  // Without a trusted proxy the service speaks plain HTTP, where browsers must ignore the header (RFC 6797 §8.1).
  const isBehindProxy = settings.trustProxy !== false;
  return (request, reply) => {
    reply.headers(fixed).header('x-request-id', request.id);
    // The route's own path where there is a route: the path of the request may be encoded.
    const path = `${request.routeOptions.url ?? request.url.split('?', 1)[0]}/`;
    for (const root of noStore) if (path.startsWith(`${root}/`)) reply.header('cache-control', 'no-store');
    if (isBehindProxy && request.protocol === 'https') reply.header('strict-transport-security', HSTS);
    const { origin } = request.headers;
    if (origin !== undefined && origins.has(origin)) {
      reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED });
    }
  };
}

/**
 * Adds the headers of the response to a preflight, if the request is one and its origin is allowed.
 * @param methods the methods of the path, comma-separated
 */
export function addPreflightHeaders(request: FastifyRequest, reply: FastifyReply, methods: string): void {
  if (reply.getHeader('access-control-allow-origin') === undefined) return;
  if (request.headers['access-control-request-method'] === undefined) return;
  reply.headers({
    'access-control-allow-methods': methods,
    'access-control-allow-headers': ALLOWED,
    'access-control-max-age': PREFLIGHT_MAX_AGE,
  });
}
