import { type PipelineStage, Types } from 'mongoose';
import type { AnyModel, AnySchema } from '../driver/any-model';
import { memoized } from '../../base/memoized';
import type { PageRead } from '../driver/quirks';
import { findPage, pageOptions } from '../reads/find-page';
import { referencesIn } from '../schema/references';
import type { IdRange, PageBoundaries } from './page-boundaries';

/** Ranges of ids that are read before all records of an index are. */
const ROUNDS = 2;

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
  const page = withIndexFirst(given);
  const range = rangeOf(page);
  if (!range) return readByLookup<R>(given);
  const branches = branchesOf(page);
  if (branches) return readBranches<R>(page, branches, boundaries);
  const { skip, limit, order, lookups, filters } = page;
  const start = order === 1 ? (range.$gt ?? range.$gte) : (range.$lt ?? range.$lte);
  const indexed = hasValueBeforeId(page) ? undefined : filters.find((filter) => isIndexed(page.model, filter));
  for (let round = 0; ; round += 1) {
    const end = await boundaries.after(start?.toHexString(), (skip + limit + 1) * 4 ** round, order);
    if (indexed && (round === ROUNDS || !end)) {
      const others = filters.filter((filter) => filter !== indexed);
      return readByLookup<R>({ ...page, lookups: [indexed, ...lookups], filters: others });
    }
    const upTo = end && (order === 1 ? { $lte: end } : { $gte: end });
    const records = await readRange<R>(page, inBoth(range, upTo));
    if (!end || records.length > limit) return records;
  }
}

/** Puts a condition first that an index has before the id; also an id that any number of records can have. */
function withIndexFirst(page: PageRead): PageRead {
  const { model, lookups } = page;
  const unbounded = lookups.filter((lookup) => isUnbounded(model, lookup));
  const together = Object.assign({}, ...unbounded) as object;
  const isTogether = isBeforeId(model, together);
  const large = isTogether ? unbounded : unbounded.filter((lookup) => isBeforeId(model, lookup));
  const filters = [...(isTogether ? [together] : large), ...page.filters];
  const first = filters.find((filter) => isBeforeId(model, filter));
  const ordered = first ? [first, ...filters.filter((filter) => filter !== first)] : filters;
  return { ...page, lookups: lookups.filter((lookup) => !large.includes(lookup)), filters: ordered };
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

/** Whether an index begins with the field of this condition. */
function isIndexed({ schema }: AnyModel, filter: object): boolean {
  const [[name, value] = []] = Object.entries(filter) as [string, unknown][];
  const isServed = !['$ne', '$regex'].some((operator) => operator in (Object(value) as object));
  return isServed && indexedFields(schema).some(([first]) => first === name);
}

/** A read for each condition of a filter `$or`, if no other has an index and each of them has one; an `$in` only alone. */
function branchesOf(page: PageRead): PageRead[] | undefined {
  const union = page.filters.find((filter) => '$or' in filter) as { readonly $or: object[] } | undefined;
  if (!union || page.lookups.length > 0 || hasValueBeforeId(page) || page.skip + page.limit > MAX_MERGED)
    return undefined;
  const others = page.filters.filter((filter) => filter !== union);
  const branches = union.$or.map((branch): PageRead => {
    const isList = Object.values(branch).some((value) => '$in' in (Object(value) as object));
    return isList ? { ...page, lookups: [branch], filters: others } : { ...page, filters: [branch, ...others] };
  });
  return branches.every((branch) => branch.lookups.length > 0 || hasValueBeforeId(branch)) ? branches : undefined;
}

async function readBranches<R>(page: PageRead, branches: PageRead[], boundaries: PageBoundaries): Promise<R[]> {
  const { skip, limit, order } = page;
  const parts = branches.map((one) => readPage<R>({ ...one, skip: 0, limit: skip + limit }, boundaries));
  const records = (await Promise.all(parts)).flat();
  const byId = new Map(records.map((record) => [String((record as { _id: unknown })._id), record]));
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

function readRange<R>(page: PageRead, range: IdRange): Promise<R[]> {
  const condition = Object.keys(range).length > 0 ? { _id: range } : {};
  const [first, others] = hasValueBeforeId(page) ? [page.filters[0], page.filters.slice(1)] : [{}, page.filters];
  // An index with several fields serves conditions only if they are in one object.
  const served = { ...first, ...condition };
  if (others.length === 0) return findPage<R>(page, served);
  if (Object.keys(served).length === 0) return findPage<R>(page, { $and: others });
  return readByLookup<R>({ ...page, lookups: [served], filters: others, from: [] });
}
