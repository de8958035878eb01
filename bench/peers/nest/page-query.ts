import { Type } from 'class-transformer';
import { IsInt, IsMongoId, IsOptional, IsString, Length, Max, Min } from 'class-validator';
import { Model, QueryFilter, Types } from 'mongoose';
import { pageFilter } from '../shared/records.mjs';

/** The parameters of a list. */
export class PageQuery {
  @Type(() => Number) @IsInt() @Min(0) @Max(1_000_000) skip = 0;
  @Type(() => Number) @IsInt() @Min(1) @Max(100) limit = 50;
  @IsOptional() @IsMongoId() after?: string;
  @IsOptional() @IsString() @Length(1, 100) q?: string;
}

/** One record more than the limit shows whether others follow. */
export function readPage<T>(
  model: Model<T>,
  visible: QueryFilter<T>,
  projection: object,
  { skip, limit, after, q }: PageQuery,
): Promise<object[]> {
  const where = pageFilter(visible, q, after && new Types.ObjectId(after)) as QueryFilter<T>;
  const options = { sort: { _id: 1 }, skip, limit: limit + 1 };
  return model.find(where, projection, options).lean<object[]>().exec();
}
