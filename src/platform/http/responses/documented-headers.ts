import type { HeaderObject, HeadersObject } from '@nestjs/swagger';

const COUNT = { type: 'integer', format: 'int32', minimum: 0 } as const;

/** The headers of responses (contract §2), for the OpenAPI document. */
export const headerComponents = {
  'X-Request-Id': header("Identifies this request in the service's log.", { minLength: 1 }),
  'Cache-Control': header('Whether a cache may store the response.', {
    enum: ['private, no-cache, no-transform', 'no-store'],
  }),
  ETag: header('The version of the record or page, for `If-Match` and `If-None-Match`.', { pattern: '^"[!#-~]+"$' }),
  Location: header('The absolute path of the new record; of a 409, of the one that has the name or `externalId`.', {
    pattern: '^/.*[0-9a-f]{24}$',
  }),
  Link: header('The `next` and `prev` pages; of an error, its code in the documentation (`help`).', {
    pattern: '^<[^>]*>; rel="(next|prev|help)"(, <[^>]*>; rel="prev")?$',
  }),
  'X-Total-Count': header('Total number of records; sent with `Prefer: count=exact`.', COUNT),
  'Retry-After': header('Seconds to wait before you try again; sent with 429 and 503.', COUNT),
  'WWW-Authenticate': header('The authentication scheme; sent with 401.', { enum: ['Bearer'] }),
} satisfies HeadersObject;

export type HeaderName = keyof typeof headerComponents;

/** The headers of a response: these, and those of all responses. */
export function documentedHeaders(...names: readonly HeaderName[]): HeadersObject {
  const all: HeaderName[] = ['X-Request-Id', 'Cache-Control', ...names];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function header(description: string, schema: HeaderObject['schema']): HeaderObject {
  return { description, schema: { type: 'string', ...schema } };
}
