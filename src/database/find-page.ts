/* eslint-disable @typescript-eslint/no-explicit-any */
import { Model, ProjectionType, QueryFilter, Types } from 'mongoose';
import type { Page } from '../http/page';
import type { PageQuery } from '../validation/query/page-query.dto';

/**
 * Reads one page of a list ordered by `_id` (contract §2 Lists), as plain objects. One record more than asked for tells
 * whether the list goes on.
 *
 * @param filter made field by field from judged values; a DTO is never spread into it
 * @param projection the fields to read
 */
export async function findPage<R>(
  model: Model<any>, // a list shows part of what the Model holds
  filter: QueryFilter<R>,
  projection: ProjectionType<R>,
  { skip, limit, after, exactCount }: PageQuery,
): Promise<Page<R>> {
  const behind = after === undefined ? filter : { $and: [filter, { _id: { $gt: new Types.ObjectId(after) } }] };
  const typed = model as unknown as Model<R>;
  const records = (await typed
    .find(behind, projection)
    .sort({ _id: 1 })
    .skip(skip)
    .limit(limit + 1)
    .lean()) as unknown as R[];
  const total = exactCount ? { total: await typed.countDocuments(filter) } : {};
  return { records: records.slice(0, limit), hasMore: records.length > limit, ...total };
}
