import { Model, QueryFilter, Types } from 'mongoose';
import { apiError, ErrorName } from '../errors/api-error';
import type { Page, PageQuery } from '../http/page';
import type { AnyModel } from './any-model';
import { MAX_READ_MS } from './connection-options';

/** The parameters of a list ordered by `_id`. */
interface ListQuery extends PageQuery {
  readonly after?: string;
  readonly exactCount?: boolean;
}

/** The record that all records of a list belong to. */
interface Parent {
  readonly model: AnyModel;
  readonly _id: Types.ObjectId;
  /** The error when it was deleted, and the records with it, since the request was authorized. */
  readonly notFound: ErrorName;
}

/**
 * Reads one page of a list ordered by `_id` (contract §2 Lists), as plain objects without internal fields. Reading one
 * record more than the limit shows whether others follow.
 *
 * @param filter built field by field from validated values; a DTO is never spread into it
 * @param parent for a list below a record: `/organizations/:id/apis`
 */
export async function findPage<R extends { _id: Types.ObjectId }>(
  model: AnyModel,
  filter: object,
  { skip, limit, after, exactCount }: ListQuery,
  parent?: Parent,
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
  if (parent && page.length === 0 && !(await parent.model.exists({ _id: parent._id }))) throw apiError(parent.notFound);
  const total = exactCount ? { total: await records.countDocuments(where).maxTimeMS(MAX_READ_MS) } : {};
  const shown = page.slice(0, limit) as unknown as R[];
  return { records: shown, hasMore: page.length > limit, lastId: shown.at(-1)?._id.toHexString(), ...total };
}
