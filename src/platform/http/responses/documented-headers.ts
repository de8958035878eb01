import type { HeaderObject, HeadersObject } from '@nestjs/swagger';

const COUNT = { type: 'integer', format: 'int32', minimum: 0 };

/** The headers of responses (contract §2), for the OpenAPI document. */
export const headerComponents = {
  'X-Request-Id': always("Identifies this request in the service's log.", { minLength: 1 }),
  'X-Content-Type-Options': always('Browsers must not guess the media type.', { enum: ['nosniff'] }),
  'Cache-Control': always(
    'A private cache may store the response, and must revalidate it before each use; proxies must not change it.',
    { enum: ['private, no-cache, no-transform'] },
  ),
  'Cache-Control-NoStore': always('The response contains secrets and must not be stored.', { enum: ['no-store'] }),
  'Cache-Control-Error': always('Whether the response may be stored.', {
    enum: ['private, no-cache, no-transform', 'no-store'],
  }),
  ETag: always('The version of the record, for `If-Match` and `If-None-Match`.', {
    pattern: '^"[!#-~]+"$',
    examples: ['"1-0"'],
  }),
  'ETag-List': always('The version of the page, for `If-None-Match`.', { pattern: '^"[!#-~]+"$' }),
  Location: always('The absolute path of the new record.', { pattern: '^/.*[0-9a-f]{24}$' }),
  'Location-Holder': sometimes('The absolute path of the record that has the name.', { pattern: '^/.*[0-9a-f]{24}$' }),
  Link: sometimes('The `next` and `prev` pages (RFC 8288), as absolute paths.', {
    pattern: '^</[^>]*>; rel="(next|prev)"(, </[^>]*>; rel="(next|prev)")*$',
  }),
  'Link-Error': sometimes('Leads to what can be done about the error (`rel="help"`), unless `DOCS=off`.', {
    pattern: '^<[^>]*/docs/errors#[0-9]{4}>; rel="help"$',
  }),
  'X-Total-Count': sometimes('Total number of records; sent with `Prefer: count=exact`.', COUNT),
  'Retry-After': sometimes('Seconds to wait before you try again; sent with 429 and 503.', COUNT),
  'WWW-Authenticate': always('The authentication scheme.', { enum: ['Bearer'] }),
  'WWW-Authenticate-Any': sometimes('The authentication scheme; sent with 401.', { enum: ['Bearer'] }),
} satisfies HeadersObject;

/** A header of the document; the forms of some are one header with several names here. */
export type HeaderName = keyof typeof headerComponents;

export function documentedHeaders(...names: readonly HeaderName[]): HeadersObject {
  const all: HeaderName[] = ['X-Request-Id', 'X-Content-Type-Options', ...names];
  return Object.fromEntries(
    all.map((name) => [
      name.replace(/^(Cache-Control|ETag|Link|Location|WWW-Authenticate)-.*/, '$1'),
      { $ref: `#/components/headers/${name}` },
    ]),
  );
}

function always(description: string, schema: HeaderObject['schema']): HeaderObject {
  return { ...sometimes(description, schema), required: true };
}

function sometimes(description: string, schema: HeaderObject['schema']): HeaderObject {
  return { description, schema: { type: 'string', ...schema } };
}
