import { FastifyReply, FastifyRequest } from 'fastify';
import { Settings } from '../../config/settings';

/**
 * What every answer carries, from whatever layer (contract §2). An API shows no page: nothing may be loaded, framed or
 * embedded; the docs page sets its own Content-Security-Policy. Nest's `useSecurityHeaders()` is not used because it sets
 * each header on the raw response, which costs a second pass over all headers, and because it does not reach the answers
 * to what the HTTP parser refuses.
 */
export const EVERY_ANSWER: Readonly<Record<string, string>> = {
  'cache-control': 'private, no-cache',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** A year, for this host alone: who runs other hosts of the domain is not known here (RFC 6797). */
const HSTS = 'max-age=31536000';

/** Headers of answers that pages of an allowed origin may read (contract §4, end). */
const EXPOSED = 'ETag, Link, Location, Retry-After, X-Request-Id, X-Total-Count';
/** Headers of requests that pages of an allowed origin may set (contract §4, end). */
const ALLOWED = 'Authorization, Content-Type, If-Match, If-None-Match, Prefer';
/** Seconds for which a browser may keep the answer to a preflight. */
const PREFLIGHT_MAX_AGE = '600';

type Dress = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Makes the function that gives an answer its headers before anything else can answer: those of every answer, the
 * request id, and for an allowed `Origin` those of CORS.
 *
 * `@fastify/cors` is not used because it registers `OPTIONS *`, which answers unknown paths too.
 */
export function answerHeaders(settings: Settings): Dress {
  const origins = new Set(settings.corsOrigins);
  const fixed = origins.size > 0 ? { ...EVERY_ANSWER, vary: 'Origin' } : EVERY_ANSWER;
  // Without a trusted proxy the service speaks plain HTTP, where browsers must ignore the header (RFC 6797 §8.1).
  const behindProxy = settings.trustProxy !== false;
  return (request, reply) => {
    reply.headers(fixed).header('x-request-id', request.id);
    if (behindProxy && request.protocol === 'https') reply.header('strict-transport-security', HSTS);
    const { origin } = request.headers;
    if (origin !== undefined && origins.has(origin)) allowOrigin(reply, origin);
  };
}

/** Lets pages of the origin read the answer. */
function allowOrigin(reply: FastifyReply, origin: string): void {
  reply.headers({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': EXPOSED,
  });
}

/**
 * Adds what a browser asks for in a preflight, where the origin is allowed and the request is one.
 * @param methods the methods of the path, comma-separated
 */
export function answerPreflight(request: FastifyRequest, reply: FastifyReply, methods: string): void {
  if (reply.getHeader('access-control-allow-origin') === undefined) return;
  if (request.headers['access-control-request-method'] === undefined) return;
  reply.headers({
    'access-control-allow-methods': methods,
    'access-control-allow-headers': ALLOWED,
    'access-control-max-age': PREFLIGHT_MAX_AGE,
  });
}
