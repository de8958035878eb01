import { applyDecorators, HttpCode, SetMetadata, UseInterceptors } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExtraModels, ApiResponse, ApiResponseSchemaHost, getSchemaPath } from '@nestjs/swagger';
import { DownloadInterceptor } from './download.interceptor';
import { RecordPlan, RESPONSE_PLAN, ResponsePlan, RouteSettings } from './response-plan';

type Schema = ApiResponseSchemaHost['schema'];
type Dto = new () => object;
type Options = Pick<ResponsePlan, 'etag' | 'location'>;

/**
 * What an operation returns: status, body, ETag, Location and Link (contract §2), and their documentation. The handler
 * returns the stored record, or a `Page` of them; the DTO says which fields are shown.
 */
export const Returns = {
  /** GET of one record: its own fields, with an ETag; 304 where `If-None-Match` has that ETag. */
  one: (dto: Dto, options: Options = {}): MethodDecorator =>
    returns(200, { kind: 'one', dto, ...options }, { $ref: getSchemaPath(dto) }),

  /** GET of a collection: `{status, data: […]}`, with Link and, if asked for, X-Total-Count. */
  list: (dto: Dto): MethodDecorator =>
    returns(200, { kind: 'list', dto }, wrapped({ type: 'array', items: { $ref: getSchemaPath(dto) } })),

  /** POST: 201, `{status, data}`, with ETag and Location. */
  created: (dto: Dto, options: Options = {}): MethodDecorator =>
    returns(201, { kind: 'created', dto, ...options }, wrapped({ $ref: getSchemaPath(dto) })),

  /** PUT: 200, `{status, data}`, with ETag. */
  updated: (dto: Dto): MethodDecorator => returns(200, { kind: 'updated', dto }, wrapped({ $ref: getSchemaPath(dto) })),

  /** DELETE: 204, no body. */
  deleted: (): MethodDecorator =>
    applyDecorators(
      SetMetadata(RESPONSE_PLAN, { kind: 'deleted' } satisfies ResponsePlan),
      HttpCode(204),
      ApiResponse({ status: 204, description: 'Deleted.' }),
    ),

  /** GET of a file: the bytes of the `Download` that the handler returns; 304 where `If-None-Match` has its ETag. */
  bytes: (contentTypes: readonly string[]): MethodDecorator => {
    const content = { schema: { type: 'string', format: 'binary' } } as const;
    return applyDecorators(
      SetMetadata(RESPONSE_PLAN, { kind: 'bytes' } satisfies ResponsePlan),
      UseInterceptors(DownloadInterceptor),
      HttpCode(200),
      ApiResponse({
        status: 200,
        description: 'The bytes of the file.',
        content: Object.fromEntries(contentTypes.map((type) => [type, content])),
      }),
    );
  },
};

const descriptions = { one: 'The record.', list: 'One page of records.', created: 'Created.', updated: 'Updated.' };

function returns(
  status: number,
  plan: RecordPlan & { kind: keyof typeof descriptions },
  schema: Schema,
): MethodDecorator {
  return applyDecorators(
    SetMetadata(RESPONSE_PLAN, plan satisfies ResponsePlan),
    RouteConfig({ response: plan } satisfies RouteSettings),
    HttpCode(status),
    ApiExtraModels(plan.dto),
    ApiResponse({ status, description: descriptions[plan.kind], schema }),
  );
}

function wrapped(data: NonNullable<Schema>): Schema {
  return {
    type: 'object',
    required: ['status', 'data'],
    properties: { status: { type: 'string', enum: ['success'] }, data },
  };
}
