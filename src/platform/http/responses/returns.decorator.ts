import { applyDecorators, HttpCode } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import {
  ApiExtension,
  ApiExtraModels,
  ApiHeader,
  ApiProperty,
  ApiResponse,
  ApiSchema,
  getSchemaPath,
} from '@nestjs/swagger';
import type { ErrorName } from '../../base/errors/api-error';
import { memoized } from '../../base/memoized';
import { documentedHeaders, type HeaderName } from './documented-headers';
import { etagOfResponse } from './etag';
import type { RecordsPlan, ResponsePlan, RouteSettings } from './response';
import { ResponseField, toResponse } from './response-fields';

type Dto = new () => object;

interface Options extends Pick<RecordsPlan, 'location' | 'noStore'> {
  /** Set for a list whose items carry their `etag`, to be sent back in If-Match. */
  readonly itemEtags?: true;
}

/**
 * Declares and documents the response of an operation (contract §2). The handler returns the stored record, or a `Page`
 * of them; the DTO says which fields are shown.
 */
export const Returns = {
  /** GET of one record: its own fields, with an ETag; 304 where `If-None-Match` has that ETag. */
  one: (dto: Dto, options?: Options): MethodDecorator => shows('one', dto, dto, options),

  /** GET of a collection: `{status, data: […]}`, with an ETag, Link and, if asked for, X-Total-Count; 304 as above. */
  list: (dto: Dto, { itemEtags, ...options }: Options = {}): MethodDecorator => {
    const item = itemEtags ? withEtag(dto) : dto;
    return shows('list', item, envelope(item, 'List', dto), options);
  },

  /** POST: 201, `{status, data}`, with ETag and Location. */
  created: (dto: Dto, options?: Options): MethodDecorator => shows('created', dto, envelope(dto, 'Result'), options),

  /** PUT: 200, `{status, data}`, with ETag. */
  updated: (dto: Dto): MethodDecorator => shows('updated', dto, envelope(dto, 'Result')),

  /** DELETE: 204, no body. */
  deleted: ({ noStore }: Options = {}): MethodDecorator =>
    applyDecorators(RouteConfig({ noStore } satisfies RouteSettings), documents('deleted', {}, { noStore })),

  /** GET of a file: the bytes of the `Download` that the handler returns; 304 where `If-None-Match` has its ETag. */
  bytes: (contentTypes: readonly string[]): MethodDecorator => {
    const schema = { type: 'string', format: 'binary' };
    const content = Object.fromEntries(contentTypes.map((type) => [type, { schema }]));
    return applyDecorators(
      RouteConfig({ response: { kind: 'bytes' } } satisfies RouteSettings),
      documents('bytes', { content }),
    );
  },
};

function shows(kind: RecordsPlan['kind'], dto: Dto, body: Dto, options: Options = {}): MethodDecorator {
  return applyDecorators(
    RouteConfig({ response: { kind, dto, ...options }, noStore: options.noStore } satisfies RouteSettings),
    ApiExtraModels(body),
    documents(kind, { schema: { $ref: getSchemaPath(body) } }, options),
  );
}

/** The item of a list that carries its ETag: `OrganizationItem`. */
const withEtag = memoized((dto: Dto): Dto => {
  class Item extends dto {}
  ResponseField('value', (record: object) => etagOfResponse(record, () => toResponse(dto, record)))(
    Item.prototype,
    'etag',
  );
  const description = 'Its ETag, for If-Match: an item of a list can be sent back without a GET.';
  ApiProperty({ type: String, description, example: '"nr-Hlk-4"' })(Item.prototype, 'etag');
  ApiSchema({ name: schemaName(dto, 'Item') })(Item);
  return Item;
});

/** Names the schema around a record or a list of them: `OrganizationResult`, `OrganizationList`. */
function envelope(dto: Dto, suffix: 'List' | 'Result', named = dto): Dto {
  class Envelope {}
  ApiProperty({ type: String, enum: ['success'] })(Envelope.prototype, 'status');
  ApiProperty({ type: suffix === 'List' ? [dto] : dto })(Envelope.prototype, 'data');
  ApiSchema({ name: schemaName(named, suffix) })(Envelope);
  return Envelope;
}

/** `OrganizationDto` → `OrganizationList`; a DTO may have another name for its schema (`@ApiSchema`). */
function schemaName(dto: Dto, suffix: string): string {
  return getSchemaPath(dto)
    .split('/')
    .at(-1)!
    .replace(/Dto$|$/, suffix);
}

const IF_MATCH = { name: 'If-Match', description: 'Apply the change only if the record still has one of these ETags.' };
const HAS_MATCH = { name: 'If-Match', description: 'Return 412 unless the record still has one of these ETags.' };
const IF_NONE_MATCH = {
  name: 'If-None-Match',
  description: 'Return 304 without a body if the response would have one of these ETags.',
};
const UNLESS_MATCH = {
  name: 'If-None-Match',
  description: 'Apply the change only if the record has none of these ETags.',
};
const PREFER = { name: 'Prefer', description: '`count=exact` adds the `X-Total-Count` header to the response.' };

/** Status, description, headers, and the headers that a request may have. */
const documentation: Record<
  ResponsePlan['kind'] | 'deleted',
  readonly [number, string, readonly HeaderName[], ...(typeof IF_MATCH)[]]
> = {
  one: [200, 'The record.', ['ETag'], HAS_MATCH, IF_NONE_MATCH],
  list: [200, 'A page of records.', ['ETag', 'Link', 'X-Total-Count'], PREFER, IF_NONE_MATCH],
  created: [201, 'Created.', ['ETag', 'Location']],
  updated: [200, 'Updated.', ['ETag'], IF_MATCH, UNLESS_MATCH],
  deleted: [204, 'Deleted.', [], IF_MATCH, UNLESS_MATCH],
  bytes: [200, 'The bytes of the file.', ['ETag'], HAS_MATCH, IF_NONE_MATCH],
};

function documents(kind: keyof typeof documentation, body: object, options: Options = {}): MethodDecorator {
  const { noStore, location } = options;
  const [status, description, names, ...requestHeaders] = documentation[kind];
  const missing = [noStore && 'ETag', location === false && 'Location'];
  const headers = documentedHeaders(...names.filter((name) => !missing.includes(name)));
  const sent = requestHeaders.filter((header) => !noStore || header === PREFER);
  return applyDecorators(
    HttpCode(status),
    ApiResponse({ status, description, headers, ...body }),
    ...sent.map((header) => ApiHeader({ ...header, required: false })),
    ...(sent.includes(IF_NONE_MATCH)
      ? [ApiResponse({ status: 304, description: 'Nothing has changed.', headers })]
      : []),
  );
}

/** Documents the errors that the method, path, access rule and body do not imply: conflicts, a wrong login. */
export function Throws(...names: readonly ErrorName[]): MethodDecorator {
  return ApiExtension('x-throws', names);
}
