import { Type } from 'class-transformer';
import { IsInt, IsMongoId, IsOptional, IsString, Length, Max, Min } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { Model, QueryFilter } from 'mongoose';
import { nextLink, searchFilter } from '../shared/records.mjs';

/** The parameters of a list. */
export class PageQuery {
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  skip = 0;

  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  limit = 50;

  @IsOptional()
  @IsMongoId()
  after?: string;

  @IsOptional()
  @IsString()
  @Length(1, 100)
  q?: string;

  /** The response with a page of these records, of which there may be one more than the limit. */
  respond(
    records: object[],
    toResponse: (record: object) => { _id: string },
    url: string,
    reply: FastifyReply,
  ): { status: string; data: object[] } {
    const data = records.slice(0, this.limit).map(toResponse);
    if (records.length > this.limit) void reply.header('link', nextLink(url, data));
    return { status: 'success', data };
  }
}

/** One record more than the limit shows whether others follow. */
export function readPage<T>(
  model: Model<T>,
  visible: QueryFilter<T>,
  projection: object,
  { skip, limit, after, q }: PageQuery,
): Promise<object[]> {
  const search = q === undefined ? visible : { ...visible, ...searchFilter(q) };
  const where = after === undefined ? search : ({ $and: [search, { _id: { $gt: after } }] } as QueryFilter<T>);
  const query = model
    .find(where, projection)
    .sort({ _id: 1 })
    .skip(skip)
    .limit(limit + 1);
  return query.lean<object[]>().exec();
}
