import { mongo, Types } from 'mongoose';
import type { ErrorName } from '../errors/api-error';
import type { Page, Paging } from '../http/page';
import type { AnyModel } from './any-model';
import { MAX_READ_MS } from './connection-options';
import { searchFilter } from './derived-fields';
import { projectionOf } from './projections';
import { rarestTrigram } from './search-trigrams';
import { PageRead, quirksOf } from './server-quirks';

/** The parameters of a list ordered by `_id` (contract §2 Lists). */
export interface ListParams extends Paging {
  readonly after?: string;
  readonly q?: string;
}

/** The record that all records of a list belong to. */
export interface Parent {
  readonly records: { exists(filter: object): Promise<boolean> };
  readonly _id: Types.ObjectId;
  /** The error when it was deleted, and the records with it, since the request was authorized. */
  readonly notFound: ErrorName;
}

/**
 * Reads one page of a list ordered by `_id`, as plain objects without internal fields. One record more than the limit
 * shows whether others follow. By the driver: Mongoose would take a third of the CPU time of such a read.
 *
 * @param filter with ids as ObjectIds
 */
export async function readPage<R extends { _id: Types.ObjectId }>(
  model: AnyModel,
  filter: object,
  query: ListParams,
): Promise<Page<R>> {
  const { skip, limit, after, exactCount } = query;
  const conditions = await conditionsOf(model, filter, query.q);
  const read = { model, ...conditions, skip, limit, after: after === undefined ? after : new Types.ObjectId(after) };
  const page = await ((await quirksOf(model.db)).readPage<R>(read) ?? find<R>(read));
  const total = exactCount ? { total: await count(read) } : {};
  const shown = page.slice(0, limit);
  return { records: shown, hasMore: page.length > limit, lastId: shown.at(-1)?._id.toHexString(), ...total };
}

/** Filter conditions, split by whether an index can serve them alone. */
async function conditionsOf(
  model: AnyModel,
  filter: object,
  q: string | undefined,
): Promise<Pick<PageRead, 'lookups' | 'filters'>> {
  const trigram = q === undefined ? undefined : await rarestTrigram(model, q);
  const parts = Object.entries(filter).map(([name, value]) => ({ [name]: value as unknown }));
  const isId = (part: object): boolean => Object.values(part)[0] instanceof Types.ObjectId;
  return {
    lookups: [...(trigram === undefined ? [] : [{ searchGrams: trigram }]), ...parts.filter(isId)],
    filters: [...parts.filter((part) => !isId(part)), ...(q === undefined ? [] : [searchFilter(q)])],
  };
}

async function find<R>({ model, lookups, filters, after, skip, limit }: PageRead): Promise<R[]> {
  const projection = projectionOf(model.schema);
  const options: mongo.FindOptions = { projection, sort: { _id: 1 }, skip, limit: limit + 1, maxTimeMS: MAX_READ_MS };
  const from = after === undefined ? [] : [{ _id: { $gt: after } }];
  return (await model.collection.find(and([...lookups, ...filters, ...from]), options).toArray()) as R[];
}

async function count({ model, lookups, filters }: PageRead): Promise<number> {
  const stages = [...[...lookups, ...filters].map(($match) => ({ $match })), { $count: 'total' }];
  const options = { maxTimeMS: MAX_READ_MS };
  const [counted] = await model.collection.aggregate<{ total: number }>(stages, options).toArray();
  return counted?.total ?? 0;
}

function and(conditions: object[]): object {
  return conditions.length > 1 ? { $and: conditions } : (conditions[0] ?? {});
}
