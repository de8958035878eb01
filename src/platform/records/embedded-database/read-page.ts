import { type PipelineStage, Types } from 'mongoose';
import type { AnyModel, AnySchema } from '../connection/any-model';
import { memoized } from '../../base/memoized';
import { findPage, pageOptions, type PageRead } from '../reads/find-page';
import { referencesIn } from '../references/references';
import type { IdRange, PageBoundaries } from './page-boundaries';

/** A page with conditions that no index has before the id is first read from so many ranges of ids. */
const ROUNDS = 2;

/** Records of which it is known how many meet a condition. */
const SAMPLE = 400;

/** The most records of a page, with those before it, that are read by each branch of `$or`. */
const MAX_MERGED = 1000;

/** Records with the same reference that are read at once, whatever the limit of the page is. */
const MAX_LOOKED_UP = 1000;

/** The fields of each index, in its order. */
const indexedFields = memoized((schema: AnySchema) => schema.indexes().map(([keys]) => Object.keys(keys)));

/**
 * Reads a page. `limit` stops no read, but an index serves a range of ids, alone or after a value that it begins with.
 * So a page is read in longer and longer ranges until it is full, and what few records have by its index.
 */
export async function readPage<R>(given: PageRead, boundaries: PageBoundaries): Promise<R[]> {
  const page = withoutLargeLookups(given);
  const { lookups, filters } = page;
  const range = rangeOf(page);
  if (!range) return readByLookup<R>(given);
  if (filters.length === 0)
    return (await readRanges<R>(page, range, boundaries, Infinity)) ?? readRange<R>(page, range);
  const branches = lookups.length === 0 && branchesOf(page);
  if (branches) return readBranches<R>(page, branches, boundaries);
  if (filters.length > 1 || !hasValueBeforeId(page)) {
    const found = await readRanges<R>(page, range, boundaries, ROUNDS);
    if (found) return found;
  }
  const first = await rarestOf(page, range, boundaries);
  if (!first) return readRange<R>(page, range);
  const others = filters.filter((filter) => filter !== first);
  const byFirst = { ...page, filters: [first, ...others] };
  if (!hasValueBeforeId(byFirst))
    return readByLookup<R>({ ...page, lookups: [withLowerBound(first), ...lookups], filters: others });
  return (await readRanges<R>(byFirst, range, boundaries, Infinity)) ?? readRange<R>(byFirst, range);
}

/** Makes a filter of an id that any number of records can have, if an index has it before their own id. */
function withoutLargeLookups(page: PageRead): PageRead {
  const { model, lookups, filters } = page;
  const large = lookups.filter((lookup) => isUnbounded(model, lookup));
  if (large.length === 0) return page;
  const ids = Object.assign({}, ...large) as object;
  const joined = filters.find((filter) => isBeforeId(model, { ...ids, ...filter }));
  const first = { ...ids, ...joined };
  const firsts = isBeforeId(model, first) ? [first] : large;
  if (!firsts.every((filter) => isBeforeId(model, filter))) return page;
  const others = filters.filter((filter) => filter !== joined);
  return { ...page, lookups: lookups.filter((lookup) => !large.includes(lookup)), filters: [...firsts, ...others] };
}

/** Whether any number of records can have this id. */
function isUnbounded(model: AnyModel, lookup: object): boolean {
  const [[name, value] = []] = Object.entries(lookup) as [string, unknown][];
  const { most = Infinity } = referencesIn(model).find(({ path }) => path === name) ?? {};
  return name !== '_id' && value instanceof Types.ObjectId && most > MAX_LOOKED_UP;
}

/** An index serves a condition only in a stage of its own. */
function readByLookup<R>(read: PageRead): Promise<R[]> {
  const { model, lookups, filters, from } = read;
  const { sort, skip, limit, projection, ...options } = pageOptions(read);
  const stages: PipelineStage[] = [
    ...[...lookups, ...filters, ...from].map(($match) => ({ $match })),
    { $sort: sort },
    { $skip: skip },
    { $limit: limit },
    ...(Object.keys(projection).length > 0 ? [{ $project: projection }] : []),
  ];
  return model.collection.aggregate(stages, options).toArray() as unknown as Promise<R[]>;
}

/** Without a lower bound, an index of times is read from its beginning on, with all records that have none. */
function withLowerBound(filter: object): object {
  const [[name, value] = []] = Object.entries(filter) as [string, unknown][];
  const { $lt } = value as { $lt?: unknown };
  return $lt instanceof Date ? { [name!]: { $gte: new Date(-8.64e15), ...(value as object) } } : filter;
}

/** The condition that an index begins with, and that the fewest of some records meet; undefined without an index. */
async function rarestOf(page: PageRead, range: IdRange, boundaries: PageBoundaries): Promise<object | undefined> {
  const firsts = indexedFields(page.model.schema).map(([first]) => first);
  const isServed = ([name, value]: [string, unknown]): boolean =>
    firsts.includes(name) && !['$ne', '$regex'].some((operator) => operator in (Object(value) as object));
  const served = page.filters.filter(
    (filter) => isBeforeId(page.model, filter) || Object.entries(filter).every(isServed),
  );
  const { $gt, $lt } = range;
  const end = served.length > 1 && (await boundaries.after(($gt ?? $lt)?.toHexString(), SAMPLE, page.order));
  if (!end) return served[0];
  const sample = inBoth(range, page.order === 1 ? { $lte: end } : { $gte: end });
  const counts = await Promise.all(
    served.map((filter) => readRange({ ...page, filters: [filter], skip: 0, limit: 2 * SAMPLE }, sample)),
  );
  return served.reduce((one, other) =>
    counts[served.indexOf(other)]!.length < counts[served.indexOf(one)]!.length ? other : one,
  );
}

/** A read for each condition of a filter `$or`, if an index serves all of them; an `$in` only alone. */
function branchesOf(page: PageRead): PageRead[] | undefined {
  const union = page.filters.find((filter) => '$or' in filter) as { readonly $or: object[] } | undefined;
  if (!union || page.skip + page.limit > MAX_MERGED) return undefined;
  const others = page.filters.filter((filter) => filter !== union);
  const branches = union.$or.map((branch): PageRead => {
    const isList = Object.values(branch).some((value) => '$in' in (Object(value) as object));
    return isList ? { ...page, lookups: [branch], filters: others } : { ...page, filters: [branch, ...others] };
  });
  return branches.every((branch) => branch.lookups.length > 0 || hasValueBeforeId(branch)) ? branches : undefined;
}

async function readBranches<R>(
  { skip, limit, order }: PageRead,
  branches: PageRead[],
  boundaries: PageBoundaries,
): Promise<R[]> {
  const parts = branches.map((one) => readPage<R>({ ...one, skip: 0, limit: skip + limit }, boundaries));
  const byId = new Map(
    (await Promise.all(parts)).flat().map((record) => [String((record as { _id: unknown })._id), record]),
  );
  const ids = [...byId.keys()].sort();
  const ordered = order === 1 ? ids : ids.reverse();
  return ordered.slice(skip, skip + limit + 1).map((id) => byId.get(id)!);
}

/** A bound of a range of ids. */
type Bound = [name: string, id: Types.ObjectId];

/** The ids of a page; undefined for a page with a lookup of other fields. */
function rangeOf({ lookups, from }: PageRead): IdRange | undefined {
  if (lookups.length === 0) return inBoth({}, from[0]?._id);
  const { _id } = lookups[0] as { _id?: IdRange };
  const isRange = lookups.length === 1 && _id !== undefined && ('$gte' in _id || '$lt' in _id);
  return isRange ? inBoth(_id, from[0]?._id) : undefined;
}

/** Checks whether the first filter is for values that an index has before the id. */
const hasValueBeforeId = ({ model, filters: [first = {}] }: PageRead): boolean => isBeforeId(model, first);

function isBeforeId({ schema }: AnyModel, filter: object): boolean {
  const isOfValues = Object.values(filter).every(
    (value) => typeof value !== 'object' || value instanceof Types.ObjectId,
  );
  return isOfValues && indexedFields(schema).some((index) => index.join() === `${Object.keys(filter).join()},_id`);
}

/** The ids that are in both ranges, with one lower and one upper bound. */
function inBoth(range: IdRange, other: IdRange = {}): IdRange {
  const bounds = [...Object.entries(range), ...Object.entries(other)];
  // Of two bounds with the same id, the one with the shorter name leaves it out.
  const byId = ([one, id]: Bound, [two, otherId]: Bound): number =>
    String(id).localeCompare(String(otherId)) || (two.length - one.length) * (one.startsWith('$g') ? 1 : -1);
  const lower = bounds.filter(([name]) => name.startsWith('$g')).toSorted(byId);
  const upper = bounds.filter(([name]) => name.startsWith('$l')).toSorted(byId);
  return Object.fromEntries([...lower.slice(-1), ...upper.slice(0, 1)]);
}

/** Reads longer and longer ranges of ids until the page is full; undefined when it is not after so many of them. */
async function readRanges<R>(
  page: PageRead,
  range: IdRange,
  boundaries: PageBoundaries,
  rounds: number,
): Promise<R[] | undefined> {
  const { skip, limit, order } = page;
  const start = order === 1 ? (range.$gt ?? range.$gte) : (range.$lt ?? range.$lte);
  for (let round = 0; round < rounds; round += 1) {
    const end = await boundaries.after(start?.toHexString(), (skip + limit + 1) * 4 ** round, order);
    if (!end) return undefined;
    const records = await readRange<R>(page, inBoth(range, order === 1 ? { $lte: end } : { $gte: end }));
    if (records.length > limit) return records;
  }
  return undefined;
}

function readRange<R>(page: PageRead, range: IdRange): Promise<R[]> {
  const condition = Object.keys(range).length > 0 ? { _id: range } : {};
  const [first, others] = hasValueBeforeId(page) ? [page.filters[0], page.filters.slice(1)] : [{}, page.filters];
  // An index with several fields serves conditions only if they are in one object.
  const served = { ...first, ...condition };
  if (others.length === 0) return findPage<R>(page, served);
  if (Object.keys(served).length === 0) return findPage<R>(page, { $and: others });
  return readByLookup<R>({ ...page, lookups: [served], filters: others, from: [] });
}
