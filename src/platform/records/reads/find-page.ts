import { mongo, Types } from 'mongoose';
import { BoundedMap } from '../../base/bounded-map';
import { apiError } from '../../base/errors/api-error';
import type { Page, Paging } from './page';
import { trim } from '../../base/text/text';
import type { AnyModel } from '../driver/any-model';
import { readTimeOf } from '../driver/connection-options';
import { isTimeLimitExceeded } from '../driver/database-errors';
import { searchFilter } from '../schema/derived-fields';
import { projectionOf } from '../schema/projections';
import { isById, orderOf } from '../schema/sorts';
import { findInOneBatch } from '../driver/find';
import type { PageRead, ServerQuirks } from '../driver/quirks';
import { uniqueKeyOf } from '../schema/unique-keys';

/** The most records that are remembered, and the largest (bytes): 10 to 20 MiB in all. */
const MAX_RECORDS = 2000;
const MAX_BYTES = 2048;

const known = new BoundedMap<object>(MAX_RECORDS);

/** The parameters of a list. */
export interface ListParams extends Paging {
  readonly limit: number;
  readonly after?: string;
  /** Only these records. */
  readonly id?: readonly string[];
  readonly q?: string;
  /** Set where the caller sees private fields of this record only, so `q` must not find others by them. */
  readonly own?: Types.ObjectId;
  /** The date from which on records were changed. */
  readonly updatedSince?: string;
  /** The field to sort by, `_id` if it is left out; with `-` in front from the last on. */
  readonly sort?: string;
}

/**
 * Reads one page of a list, as plain objects without internal fields. By the driver,
 * because Mongoose would cast and validate again.
 * @param ids reads only these records
 * @throws ApiError overloaded (503) when the database takes too long (contract §8.3)
 */
export async function readPage<R extends { _id: Types.ObjectId }>(
  model: AnyModel,
  { lookups, filters }: Conditions,
  query: ListParams,
  find: NonNullable<ServerQuirks['readPage']> = findPage,
  ids?: readonly Types.ObjectId[],
): Promise<Page<R>> {
  const { skip, limit, after, exactCount } = query;
  const { by, order } = orderOf(model.schema, query.sort);
  const range = after === undefined ? {} : { [order === 1 ? '$gt' : '$lt']: new Types.ObjectId(after) };
  const conditions = [...(ids ? [{ _id: { $in: ids } }] : []), ...lookups, ...filters];
  const read: PageRead = { model, conditions, range, skip, limit, by, order };
  try {
    const page = await find<R>(read);
    const total = exactCount ? { total: await count(read) } : {};
    const shown = page.slice(0, limit);
    const lastId = isById(query) ? shown.at(-1)?._id.toHexString() : undefined;
    return { records: shown, hasMore: page.length > limit, lastId, ...total };
  } catch (error) {
    throw isTimeLimitExceeded(error) ? apiError('overloaded') : error;
  }
}

/** The conditions of a page: those that few records meet and an index serves, as `lookups`, and the others. */
export type Conditions = Readonly<Record<'lookups' | 'filters', readonly object[]>>;

export function conditionsOf(
  { schema }: AnyModel,
  filter: object,
  { id, q, own, updatedSince }: ListParams,
): Conditions {
  const lookups: object[] = id ? [{ _id: { $in: id.map((one) => new Types.ObjectId(one)) } }] : [];
  const filters: object[] = [];
  for (const [name, value] of Object.entries<unknown>(filter as Record<string, unknown>)) {
    const unique = uniqueKeyOf(schema, name, typeof value === 'string' && trim(value));
    const isLookup = unique || name === '_id' || value instanceof Types.ObjectId;
    (isLookup ? lookups : filters).push(unique ? { [unique.field]: unique.key } : { [name]: value });
  }
  if (updatedSince !== undefined) filters.push({ updatedAt: { $gte: new Date(updatedSince) } });
  if (q !== undefined) filters.push(searchFilter(schema, q, own));
  return { lookups, filters };
}

async function count({ model, conditions }: PageRead): Promise<number> {
  const stages = [...conditions.map(($match) => ({ $match })), { $count: 'total' }];
  const options = { maxTimeMS: readTimeOf(model.db) };
  const [counted] = await model.collection.aggregate<{ total: number }>(stages, options).toArray();
  return counted?.total ?? 0;
}

/** All conditions of a page, with that of its beginning. */
export const allConditions = ({ conditions, range }: PageRead): readonly object[] =>
  Object.keys(range).length > 0 ? [...conditions, { _id: range }] : conditions;

/** The options of the read of a page: one record more than its limit shows whether others follow. */
export const pageOptions = ({ model, skip, limit, by, order }: PageRead) =>
  ({
    projection: projectionOf(model.schema),
    sort: { [by]: order, _id: order },
    skip,
    limit: limit + 1,
    maxTimeMS: readTimeOf(model.db),
  }) as const;

/** Reads the records of a page, by its conditions or by this filter. */
export async function findPage<R>(read: PageRead, filter?: object): Promise<R[]> {
  const [first = {}, ...others] = filter ? [filter] : allConditions(read);
  const find = { filter: others.length > 0 ? { $and: [first, ...others] } : first, ...pageOptions(read) };
  const records = await findInOneBatch<Buffer>(read.model, find, { fieldsAsRaw: { firstBatch: true } });
  return records.map(decodeRecord) as R[];
}

/**
 * Decodes a record of a list. While its bytes are those that were read before, it is the same object, so neither it nor
 * its JSON is made again (`itemText` in http/responses/response.ts).
 */
export function decodeRecord(bytes: Buffer): object {
  if (bytes.length > MAX_BYTES) return mongo.BSON.deserialize(bytes);
  const key = bytes.toString('latin1');
  const same = known.get(key);
  if (same) return same;
  const record = Object.freeze(mongo.BSON.deserialize(bytes));
  known.set(key, record);
  return record;
}
