import type { Operation } from './operations';
import type { Header, Reference, Response } from './open-api';

/** The response headers (contract §2). */
export const headerComponents: Record<string, Header> = {
  'X-Request-Id': {
    description: "Identifies this request in the service's log.",
    required: true,
    schema: { type: 'string', minLength: 1 },
  },
  'X-Content-Type-Options': {
    description: 'Browsers must not guess the media type.',
    required: true,
    schema: { type: 'string', const: 'nosniff' },
  },
  'Cache-Control': {
    description: 'A private cache may store the response, and must revalidate it before each use.',
    required: true,
    schema: { type: 'string', const: 'private, no-cache' },
  },
  'Cache-Control-NoStore': {
    description: 'The response contains secrets and must not be stored.',
    required: true,
    schema: { type: 'string', const: 'no-store' },
  },
  'Cache-Control-File': {
    description: 'A private cache may use the file for this many seconds without revalidating it.',
    required: true,
    schema: { type: 'string', pattern: '^private, max-age=[0-9]+$' },
  },
  'Cache-Control-Error': {
    description: 'Whether the response may be stored.',
    required: true,
    schema: { type: 'string', enum: ['private, no-cache', 'no-store'] },
  },
  ETag: {
    description: 'The version of the record, for `If-Match` and `If-None-Match`.',
    required: true,
    schema: { type: 'string', pattern: '^"[!#-~]+"$', examples: ['"1-0"'] },
  },
  Location: {
    description: 'The absolute path of the new record.',
    required: true,
    schema: { type: 'string', pattern: '^/.*[0-9a-f]{24}$' },
  },
  Link: {
    description: 'The `next` and `prev` pages (RFC 8288), as absolute paths.',
    schema: { type: 'string', pattern: '^</[^>]*>; rel="(next|prev)"(, </[^>]*>; rel="(next|prev)")*$' },
  },
  'X-Total-Count': {
    description: 'Total number of records; sent with `Prefer: count=exact`.',
    schema: { type: 'integer', minimum: 0 },
  },
  'Retry-After': {
    description: 'Seconds to wait before you try again; sent with 429 and 503.',
    schema: { type: 'integer', minimum: 0 },
  },
  'WWW-Authenticate': {
    description: 'The authentication scheme; sent with 401.',
    schema: { type: 'string', const: 'Bearer' },
  },
};

type Headers = Required<Response>['headers'];

/** The headers of an error response. */
export function headersOfError(status: number | 'default'): Headers {
  return {
    ...everyResponse('Cache-Control-Error'),
    ...((status === 401 || status === 'default') && named('WWW-Authenticate')),
    ...(status === 'default' && named('Retry-After')),
  };
}

/** The headers of an operation's success. */
export function headersOfSuccess({ plan, hasETag }: Operation): Headers {
  const cacheControl = plan.kind === 'bytes' ? 'Cache-Control-File' : 'Cache-Control';
  return {
    ...everyResponse(hasETag ? cacheControl : 'Cache-Control-NoStore'),
    ...(hasETag && plan.kind !== 'list' && plan.kind !== 'deleted' && named('ETag')),
    ...(plan.kind === 'created' && plan.location !== false && named('Location')),
    ...(plan.kind === 'list' && { ...named('Link'), ...named('X-Total-Count') }),
  };
}

function everyResponse(cacheControl: string): Headers {
  return { ...named('X-Request-Id'), ...named('X-Content-Type-Options'), 'Cache-Control': reference(cacheControl) };
}

function named(name: string): Headers {
  return { [name]: reference(name) };
}

function reference(name: string): Reference {
  return { $ref: `#/components/headers/${name}` };
}
