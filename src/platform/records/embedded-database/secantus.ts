import { ClientSession, Connection, PipelineStage, SchemaType, Types } from 'mongoose';
import type { AnyModel } from '../connection/any-model';
import { findPage, indexedFields, pageOptions, type PageRead } from '../reads/find-page';
import { memoized } from '../connection/memoized';
import type { DeclaredIndex, ServerQuirks } from '../connection/server-quirks';
import { SharedReads } from '../reads/shared-reads';
import { referencesTo } from '../references/references';
import { type IdRange, PageBoundaries } from './page-boundaries';

/*
 * Everything that exists only for SecantusDB, the embedded database (docs/adr/0003). To drop it, delete this folder
 * and its import in server-quirks.ts.
 */

/** Asks a server whether it is a SecantusDB. */
export async function isSecantus(connection: Connection): Promise<boolean> {
  return 'secantusVersion' in (await connection.db!.command({ buildInfo: 1 }));
}

/** Everything that SecantusDB does in another way than MongoDB, for one connection. */
export function secantusQuirks(): ServerQuirks {
  const boundariesOf = memoized((model: AnyModel) => new PageBoundaries(model));
  const confirmations = new SharedReads();
  return {
    extraIndexes,
    // One that is built while a transaction is open lacks what that writes, so lists would leave it out.
    buildsIndexesOffline: true,
    beforeUniqueUpdate: insertAgain,
    readPage: <R>(page: PageRead) => {
      const range = rangeOf(page);
      if (range) return readUpToBoundary<R>(page, range, boundariesOf(page.model));
      const read = page.lookups.length > 0 ? page : lookingUpTimes(page);
      return read.lookups.length > 0 ? readByLookup<R>(read) : undefined;
    },
    // One after the other: in large collections, each read would take longer than its time limit next to others.
    warmUp: async (models) => {
      for (const model of models) if (isOftenListed(model)) await boundariesOf(model).sample();
    },
    confirmCommit: (connection) => confirmations.run('', () => readSomething(connection)),
    // It has no snapshot sessions, and no time limit of transactions.
    startSnapshot: (client) => {
      const session = client.startSession();
      session.startTransaction({ readConcern: { level: 'snapshot' } });
      return session;
    },
    // It keeps them forever. The transactions of live instances end too, and run again.
    endAbandonedTransactions: (connection) => connection.db!.admin().command({ killAllSessions: [] }),
  };
}

/**
 * The fields of filters that change one record: those of new references, and those that the schema declares. For these,
 * MongoDB uses the index of `_id`; SecantusDB reads the whole collection, unless an index has all of the fields. With
 * 100,000 records such an update took 100 ms, and now takes 2. test/structure/update-filters finds what is missing.
 */
function updateFilters(model: AnyModel): (readonly string[])[] {
  const declared = (model.schema.get('updateFilters' as never) ?? []) as unknown as readonly string[][];
  const added = referencesTo(model.db, model.modelName).flatMap(({ among, limits }) => {
    const names = Object.keys(among);
    return limits.length > 0 ? [names, [...names, 'referenceCount']] : [names];
  });
  // A record of the path has its revision in the filter, too.
  const withRevision = added.filter((names) => names.length > 0).map((names) => [...names, 'revision']);
  return [...new Map([...declared, ...withRevision].map((names) => [names.join(), names])).values()];
}

/** Of records that are never updated, a range of times: only an index that begins with the id serves one. */
const TIMES = ['_id', 'createdAt'];

function extraIndexes(models: readonly AnyModel[]): DeclaredIndex[] {
  const keysOf = (names: readonly string[]): DeclaredIndex['keys'] =>
    Object.fromEntries(names.map((name) => [name, 1]));
  return models.flatMap((model) => {
    const common = model.schema.path('revision') ? ['_id', 'revision'] : TIMES;
    const filters = [common, ...updateFilters(model).map((names) => ['_id', ...names])];
    return filters.map((names) => ({ model, keys: keysOf(names), options: {} }));
  });
}

/**
 * Deletes a record and inserts it with its new unique values: unique indexes keep the value that a record was inserted
 * with, so an old name would stay taken (docs/adr/0011).
 */
async function insertAgain(
  { collection }: AnyModel,
  filter: object,
  set: object,
  session: ClientSession,
): Promise<void> {
  const record = await collection.findOne(filter, { session });
  if (!record) return;
  await collection.deleteOne({ _id: record._id }, { session });
  await collection.insertOne({ ...record, ...set }, { session });
}

/**
 * Fails when the storage engine has failed. SecantusDB drops the error of a commit, so it acknowledges one that the
 * engine could not store, on a full disk for example. From then on, each read fails. This takes 0.5 ms; commits that
 * end during such a read share the next one.
 */
function readSomething({ db }: Connection): Promise<unknown> {
  return db!.command({ find: 'health', limit: 1, singleBatch: true });
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
const FIRST_TIME = new Date(-8.64e15);

/** The read with the times before another one, which an index has, as a lookup. */
function lookingUpTimes(page: PageRead): PageRead {
  const indexed = indexedFields(page.model.schema).map(([first]) => first);
  const timesOf = (filter: object): object[] =>
    Object.entries(filter as Record<string, { $lt?: unknown }>).flatMap(([name, value]) =>
      indexed.includes(name) && value?.$lt instanceof Date ? [{ [name]: { $gte: FIRST_TIME, ...value } }] : [],
    );
  const lookups = page.filters.flatMap(timesOf);
  return { ...page, lookups, filters: page.filters.filter((filter) => timesOf(filter).length === 0) };
}

/** A bound of a range of ids. */
type Bound = [name: string, id: Types.ObjectId];

/**
 * The ids of a page of all records, of those of some time, or of those with a value that an index has before the id;
 * undefined for a page that has other conditions.
 */
function rangeOf(page: PageRead): IdRange | undefined {
  const { lookups, filters, from } = page;
  if (lookups.length === 0) return filters.length === 0 || isIndexed(page) ? inBoth({}, from[0]?._id) : undefined;
  const { _id } = lookups[0] as { _id?: IdRange };
  const isRange = lookups.length === 1 && _id !== undefined && ('$gte' in _id || '$lt' in _id);
  return isRange ? inBoth(_id, from[0]?._id) : undefined;
}

/** Checks whether an index has all filters, which compare with a value, and then the id. */
function isIndexed({ model, filters }: PageRead): boolean {
  const conditions = filters.flatMap((filter) => Object.entries<unknown>(filter as Record<string, unknown>));
  const keys = [...conditions.map(([name]) => name), '_id'].join();
  const isOfValues = conditions.every(([, value]) => typeof value !== 'object');
  return isOfValues && indexedFields(model.schema).some((index) => index.join() === keys);
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

/** Reads a page of a range of ids up to another one: `limit` does not stop a read, but an index serves such a range. */
async function readUpToBoundary<R>(page: PageRead, range: IdRange, boundaries: PageBoundaries): Promise<R[]> {
  const { skip, limit, order } = page;
  const start = order === 1 ? (range.$gt ?? range.$gte) : (range.$lt ?? range.$lte);
  const isPart = page.lookups.length === 0 && page.filters.length > 0;
  for (let count = skip + limit + 1; ; count *= 4) {
    const end = await boundaries.after(start?.toHexString(), count, order);
    if (!end) return readRange<R>(page, range);
    const records = await readRange<R>(page, inBoth(range, order === 1 ? { $lte: end } : { $gte: end }));
    if (records.length > limit) return records;
    // Few of the records before the boundary are in the list.
    if (isPart) continue;
    // Many records were deleted, or the range ends before.
    if (page.lookups.length === 0) boundaries.reset();
    return readRange<R>(page, range);
  }
}

function readRange<R>(page: PageRead, range: IdRange): Promise<R[]> {
  const condition = Object.keys(range).length > 0 ? { _id: range } : {};
  // An index with several fields serves conditions only if they are in one object.
  if (page.lookups.length === 0) return findPage<R>(page, Object.assign({}, ...page.filters, condition) as object);
  if (page.filters.length === 0) return findPage<R>(page, condition);
  return readByLookup<R>({ ...page, lookups: [condition], from: [] });
}

/** Models whose ids are sampled from the start on: records with bytes are large, and rarely listed. */
function isOftenListed({ schema }: AnyModel): boolean {
  const isLarge = Object.values<SchemaType>(schema.paths).some(({ instance }) => instance === 'Buffer');
  return !isLarge && schema.path('createdAt') !== undefined;
}
