import { mongo, PipelineStage, Types } from 'mongoose';
import { apiError, ErrorName } from '../errors/api-error';
import type { Page, PageQuery } from '../http/page';
import type { AnyModel } from './any-model';
import { MAX_READ_MS } from './connection-options';
import { searchFilter } from './derived-fields';
import { idMarksOf } from './id-marks';
import { withoutInternal } from './projections';
import { rarestGram } from './search-grams';
import { SharedReads } from './shared-reads';

const SORT = { _id: 1 } as const;

const running = new WeakMap<AnyModel, SharedReads>();

/** The parameters of a list ordered by `_id`. */
interface ListQuery extends PageQuery {
  readonly after?: string;
  readonly q?: string;
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
 * Reads one page of a list ordered by `_id` (contract §2 Lists), as plain objects without internal fields. Other requests
 * may get the same objects, so they must not be changed.
 *
 * @param filter built field by field from validated values; a DTO is never spread into it. mongoose does not cast it
 * @param parent for a list below a record: `/organizations/:id/apis`
 */
export async function findPage<R extends { _id: Types.ObjectId }>(
  model: AnyModel,
  filter: object,
  query: ListQuery,
  parent?: Parent,
): Promise<Page<R>> {
  let reads = running.get(model);
  if (!reads) running.set(model, (reads = new SharedReads()));
  const key = mongo.BSON.EJSON.stringify([filter, query]);
  const page = await reads.run(key, () => readPage<R>(model, filter, query));
  const isEmpty = page.records.length === 0;
  if (parent && isEmpty && !(await parent.model.exists({ _id: parent._id }))) throw apiError(parent.notFound);
  return page;
}

/**
 * Reading one record more than the limit shows whether others follow. By the driver: mongoose would take a third of the
 * CPU time of such a read.
 */
async function readPage<R extends { _id: Types.ObjectId }>(
  model: AnyModel,
  filter: object,
  query: ListQuery,
): Promise<Page<R>> {
  const { limit, exactCount } = query;
  const conditions = await conditionsOf(model, filter, query.q);
  const page = await read<R>(model, conditions, query);
  const total = exactCount ? { total: await count(model, conditions) } : {};
  const shown = page.slice(0, limit);
  return { records: shown, hasMore: page.length > limit, lastId: shown.at(-1)?._id.toHexString(), ...total };
}

/** What the records of a list meet, each part with what an index is used for by itself. */
interface Conditions {
  /** Those that few records meet: they belong to a record, or have a rare gram of `q`. */
  readonly lookups: object[];
  readonly others: object[];
}

async function conditionsOf(model: AnyModel, filter: object, q: string | undefined): Promise<Conditions> {
  const gram = q === undefined ? undefined : await rarestGram(model, q);
  const parts = Object.entries(filter).map(([name, value]) => ({ [name]: value as unknown }));
  const isId = (part: object): boolean => Object.values(part)[0] instanceof Types.ObjectId;
  return {
    lookups: [...(gram === undefined ? [] : [{ searchGrams: gram }]), ...parts.filter(isId)],
    others: [...parts.filter((part) => !isId(part)), ...(q === undefined ? [] : [searchFilter(q)])],
  };
}

/**
 * Where few records meet a condition, SecantusDB needs it as a stage of its own to use its index. MongoDB joins the stages.
 * Elsewhere the records are read in their order until the page is full.
 */
function read<R>(model: AnyModel, { lookups, others }: Conditions, query: ListQuery): Promise<R[]> {
  const { skip, limit, after } = query;
  const from = after === undefined ? [] : [{ _id: { $gt: new Types.ObjectId(after) } }];
  if (lookups.length > 0) {
    const page = [{ $sort: SORT }, { $skip: skip }, { $limit: limit + 1 }, { $project: withoutInternal(model.schema) }];
    return aggregate<R>(model, [...matches([...lookups, ...others, ...from]), ...page]);
  }
  if (others.length === 0) return readWhole(model, query);
  const where = [...others, ...from];
  return find<R>(model, where.length === 1 ? where[0]! : { $and: where }, query);
}

/** A page of the list of all records. */
async function readWhole<R>(model: AnyModel, query: ListQuery): Promise<R[]> {
  const from = query.after === undefined ? {} : { $gt: new Types.ObjectId(query.after) };
  const marks = await idMarksOf(model);
  const end = marks?.endOf(query.after, query.skip + query.limit + 1);
  if (end) {
    const page = await find<R>(model, { _id: { ...from, $lte: end } }, query);
    if (page.length > query.limit) return page;
    marks?.forget();
  }
  return find<R>(model, query.after === undefined ? {} : { _id: from }, query);
}

function find<R>(model: AnyModel, filter: object, { skip, limit }: ListQuery): Promise<R[]> {
  const projection = withoutInternal(model.schema);
  const options = { projection, sort: SORT, skip, limit: limit + 1, maxTimeMS: MAX_READ_MS };
  return model.collection.find(filter, options).toArray() as unknown as Promise<R[]>;
}

async function count(model: AnyModel, { lookups, others }: Conditions): Promise<number> {
  const [counted] = await aggregate<{ total: number }>(model, [
    ...matches([...lookups, ...others]),
    { $count: 'total' },
  ]);
  return counted?.total ?? 0;
}

function aggregate<R>(model: AnyModel, stages: PipelineStage[]): Promise<R[]> {
  return model.collection.aggregate(stages, { maxTimeMS: MAX_READ_MS }).toArray() as unknown as Promise<R[]>;
}

function matches(conditions: object[]): PipelineStage[] {
  return conditions.map(($match) => ({ $match }));
}
