import { Model, QueryFilter, Types } from 'mongoose';
import type { AnyModel } from './any-model';
import { MAX_READ_MS } from './connection-options';
import type { Page, PageQuery } from '../http/page';

/** The parameters of a list ordered by `_id`. */
interface ListQuery extends PageQuery {
  readonly after?: string;
  readonly exactCount?: boolean;
}

/**
 * Reads one page of a list ordered by `_id` (contract §2 Lists), as plain objects without internal fields. Reading one
 * record more than the limit shows whether others follow.
 *
 * @param filter built field by field from validated values; a DTO is never spread into it
 */
export async function findPage<R extends { _id: Types.ObjectId }>(
  model: AnyModel,
  filter: object,
  { skip, limit, after, exactCount }: ListQuery,
): Promise<Page<R>> {
  const records = model as Model<{ _id: Types.ObjectId }>;
  const where = filter as QueryFilter<{ _id: Types.ObjectId }>;
  const page = await records
    .find(after === undefined ? where : { $and: [where, { _id: { $gt: new Types.ObjectId(after) } }] })
    .sort({ _id: 1 })
    .skip(skip)
    .limit(limit + 1)
    .maxTimeMS(MAX_READ_MS)
    .lean();
  const total = exactCount ? { total: await records.countDocuments(where).maxTimeMS(MAX_READ_MS) } : {};
  const shown = page.slice(0, limit) as unknown as R[];
  return { records: shown, hasMore: page.length > limit, lastId: shown.at(-1)?._id.toHexString(), ...total };
}
