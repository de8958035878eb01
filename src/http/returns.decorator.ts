import { applyDecorators, HttpCode, SetMetadata, Type, UseInterceptors } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, ApiResponseSchemaHost, getSchemaPath } from '@nestjs/swagger';
import { ResponseInterceptor } from './response.interceptor';
import { RESPONSE_PLAN, ResponsePlan } from './response-plan';
import { DownloadInterceptor } from './download.interceptor';

type Schema = Exclude<ApiResponseSchemaHost['schema'], undefined>;

const BINARY: Schema = { type: 'string', format: 'binary' };

type Options = Pick<ResponsePlan, 'etag' | 'location'>;
type Show<R> = (record: R) => object;
/** How an answer is made that shows records: neither bytes nor nothing. */
type RecordPlan = ResponsePlan & { readonly kind: Exclude<ResponsePlan['kind'], 'bytes' | 'deleted'> };

/**
 * One decorator says what an operation answers and how that is documented: status, wrapping, ETag, Location, Link and
 * schema (contract §2). The handler returns the stored record, or a `Page` of them; `show` makes it the DTO.
 */
export const Returns = {
  /** GET of one: the record's own fields, with an ETag; 304 where If-None-Match has it. */
  one: <R>(dto: Type, show: Show<R>, options: Options = {}): MethodDecorator =>
    answer(200, { kind: 'one', show, ...options }, dto, { $ref: getSchemaPath(dto) }),

  /** GET of a collection: `{status, data: […]}` with Link and, where asked for, X-Total-Count. */
  list: <R>(dto: Type, show: Show<R>): MethodDecorator =>
    answer(200, { kind: 'list', show }, dto, wrapped({ type: 'array', items: { $ref: getSchemaPath(dto) } })),

  /** GET of a file: its bytes, by the `Download` that the handler returns; 304 where If-None-Match has its ETag. */
  bytes: (contentTypes: readonly string[]): MethodDecorator =>
    applyDecorators(
      SetMetadata(RESPONSE_PLAN, { kind: 'bytes', show: () => ({}) } satisfies ResponsePlan),
      UseInterceptors(DownloadInterceptor),
      HttpCode(200),
      ApiResponse({
        status: 200,
        description: 'The bytes.',
        content: Object.fromEntries(contentTypes.map((type) => [type, { schema: BINARY }])),
      }),
    ),

  /** POST: 201, `{status, data}` with ETag and Location. */
  created: <R>(dto: Type, show: Show<R>, options: Options = {}): MethodDecorator =>
    answer(201, { kind: 'created', show, ...options }, dto, wrapped({ $ref: getSchemaPath(dto) })),

  /** PUT: 200, `{status, data}` with ETag. */
  updated: <R>(dto: Type, show: Show<R>): MethodDecorator =>
    answer(200, { kind: 'updated', show }, dto, wrapped({ $ref: getSchemaPath(dto) })),

  /** DELETE: 204, no body. */
  deleted: (): MethodDecorator =>
    applyDecorators(
      SetMetadata(RESPONSE_PLAN, { kind: 'deleted', show: () => ({}) } satisfies ResponsePlan),
      HttpCode(204),
      ApiResponse({ status: 204, description: 'Deleted.' }),
    ),
};

function answer(status: number, plan: RecordPlan, dto: Type, schema: Schema): MethodDecorator {
  const description = { one: 'The record.', list: 'The page.', created: 'Created.', updated: 'Updated.' };
  return applyDecorators(
    SetMetadata(RESPONSE_PLAN, plan),
    UseInterceptors(ResponseInterceptor),
    HttpCode(status),
    ApiExtraModels(dto),
    ApiResponse({ status, description: description[plan.kind], schema }),
  );
}

function wrapped(data: Schema): Schema {
  return {
    type: 'object',
    required: ['status', 'data'],
    properties: { status: { type: 'string', enum: ['success'] }, data },
  };
}
