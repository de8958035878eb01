import type { Operation } from './operations';
import type { Header, Reference, Response, Schema } from './open-api';

const COUNT = { type: 'integer', minimum: 0 };

/** The response headers (contract §2). */
export const headerComponents: Record<string, Header> = {
  'X-Request-Id': always("Identifies this request in the service's log.", { minLength: 1 }),
  'X-Content-Type-Options': always('Browsers must not guess the media type.', { const: 'nosniff' }),
  'Cache-Control': always('A private cache may store the response, and must revalidate it before each use.', {
    const: 'private, no-cache',
  }),
  'Cache-Control-NoStore': always('The response contains secrets and must not be stored.', { const: 'no-store' }),
  'Cache-Control-File': always('A private cache may use the file for this many seconds without revalidating it.', {
    pattern: '^private, max-age=[0-9]+$',
  }),
  'Cache-Control-Error': always('Whether the response may be stored.', { enum: ['private, no-cache', 'no-store'] }),
  ETag: always('The version of the record, for `If-Match` and `If-None-Match`.', {
    pattern: '^"[!#-~]+"$',
    examples: ['"1-0"'],
  }),
  Location: always('The absolute path of the new record.', { pattern: '^/.*[0-9a-f]{24}$' }),
  Link: sometimes('The `next` and `prev` pages (RFC 8288), as absolute paths.', {
    pattern: '^</[^>]*>; rel="(next|prev)"(, </[^>]*>; rel="(next|prev)")*$',
  }),
  'X-Total-Count': sometimes('Total number of records; sent with `Prefer: count=exact`.', COUNT),
  'Retry-After': sometimes('Seconds to wait before you try again; sent with 429 and 503.', COUNT),
  'WWW-Authenticate': sometimes('The authentication scheme; sent with 401.', { const: 'Bearer' }),
};

function always(description: string, schema: Schema): Header {
  return { description, required: true, schema: { type: 'string', ...schema } };
}

function sometimes(description: string, schema: Schema): Header {
  return { description, schema: { type: 'string', ...schema } };
}

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
