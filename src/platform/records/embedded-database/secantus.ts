import { ClientSession, Connection, PipelineStage, SchemaType, Types } from 'mongoose';
import type { AnyModel } from '../connection/any-model';
import { timeLimits } from '../connection/connection-options';
import { findPage, pageOptions, type PageRead } from '../reads/find-page';
import { memoized } from '../connection/memoized';
import { readOptions } from '../transactions/context';
import type { DeclaredIndex, ServerQuirks } from '../connection/server-quirks';
import { SharedReads } from '../reads/shared-reads';
import { referencesTo } from '../references/references';

/*
 * Everything that exists only for SecantusDB, the embedded database (docs/adr/0003). To drop it, delete this file, its
 * tests and its import in server-quirks.ts.
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
      return page.lookups.length > 0 ? readByLookup<R>(page) : undefined;
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
function updateFilters(model: AnyModel): string[][] {
  const declared = (model.schema.get('updateFilters' as never) ?? []) as unknown as readonly string[][];
  const references = referencesTo(model.db, model.modelName);
  const named = references.map(({ among }) => Object.keys(among)).filter((names) => names.length > 0);
  // A record of the path has its revision in the filter, too.
  const withRevision = named.map((names) => [...names, 'revision']);
  const isLimited = references.some(({ limits }) => limits.length > 0);
  return [...declared, ...withRevision, ...(isLimited ? [['referenceCount', 'revision']] : [])];
}

/** Of records that are never updated, a range of times: only an index that begins with the id serves one. */
const TIMES = ['_id', 'createdAt'];

function extraIndexes(models: readonly AnyModel[]): DeclaredIndex[] {
  const keysOf = (names: string[]): DeclaredIndex['keys'] => Object.fromEntries(names.map((name) => [name, 1]));
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

/** Ids from a bound to another one. */
type Bound = [name: string, id: Types.ObjectId];
type IdRange = Readonly<Partial<Record<'$gt' | '$gte' | '$lt' | '$lte', Types.ObjectId>>>;

/** The ids of a page of all records, or of those of some time; undefined for a page that has other conditions. */
function rangeOf({ lookups, filters, from }: PageRead): IdRange | undefined {
  if (lookups.length === 0) return filters.length === 0 ? inBoth({}, from[0]?._id) : undefined;
  const { _id } = lookups[0] as { _id?: IdRange };
  const isRange = lookups.length === 1 && _id !== undefined && ('$gte' in _id || '$lt' in _id);
  return isRange ? inBoth(_id, from[0]?._id) : undefined;
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
  const end = await boundaries.after(start?.toHexString(), skip + limit + 1, order);
  if (!end) return readRange<R>(page, range);
  const records = await readRange<R>(page, inBoth(range, order === 1 ? { $lte: end } : { $gte: end }));
  if (records.length > limit) return records;
  // Many records were deleted, or the range ends before.
  if (page.lookups.length === 0) boundaries.reset();
  return readRange<R>(page, range);
}

function readRange<R>(page: PageRead, range: IdRange): Promise<R[]> {
  const condition = Object.keys(range).length > 0 ? { _id: range } : {};
  if (page.filters.length === 0) return findPage<R>(page, condition);
  return readByLookup<R>({ ...page, lookups: [condition], from: [] });
}

/** Records between two boundaries. */
const STEP = 50;

/** The most ids of a read. If a range may have more, a shorter one is read. */
const CHUNK = 20_000;

/** Models whose ids are sampled from the start on: records with bytes are large, and rarely listed. */
function isOftenListed({ schema }: AnyModel): boolean {
  const isLarge = Object.values<SchemaType>(schema.paths).some(({ instance }) => instance === 'Buffer');
  return !isLarge && schema.path('createdAt') !== undefined;
}

/** Shortest pause between two samples (ms). */
const PAUSE_MS = 10_000;

/**
 * Every fiftieth id of a collection. With 100,000 records a page of all took 770 ms, and takes 2 between two of them. A
 * boundary only says how far to read: records that were added or deleted since then never make a page wrong.
 */
export class PageBoundaries {
  private sampled: string[] = [];
  private sampledAt = 0;
  private sampling: Promise<void> = Promise.resolve();

  constructor(private readonly model: AnyModel) {}

  /** An id with some more than `count` records between it and `after`, in an order; undefined when none is known. */
  async after(after: string | undefined, count: number, order: 1 | -1): Promise<Types.ObjectId | undefined> {
    // Many pages of a large collection without boundaries would take far longer than one sample.
    if (this.sampled.length === 0) await this.sample();
    const steps = Math.ceil(count / STEP);
    const next = after === undefined ? 0 : this.sampled.findIndex((id) => id > after);
    const last = after === undefined ? this.sampled.length - 1 : this.sampled.findLastIndex((id) => id < after);
    const end = order === 1 ? next !== -1 && this.sampled[next + steps] : this.sampled[last - steps];
    // From the last record on, those that are new since the last sample are read, too.
    if (!end || (order === -1 && after === undefined)) void this.sample();
    return end ? new Types.ObjectId(end) : undefined;
  }

  /** Samples again, when fewer records than expected lay before a boundary. */
  reset(): void {
    this.sampled = [];
    void this.sample();
  }

  /** Samples the ids after the last boundary, once at a time. If that fails, pages are read without boundaries. */
  sample(): Promise<void> {
    if (Date.now() < this.sampledAt + PAUSE_MS) return this.sampling;
    this.sampledAt = Infinity;
    const last = this.sampled.at(-1);
    const add = (ids: string[]): void => {
      // After a reset meanwhile, the ids before these are missing.
      if (this.sampled.at(-1) === last) this.sampled = [...this.sampled, ...ids];
    };
    this.sampling = this.sampleAfter(last)
      .then(add, () => undefined)
      .finally(() => (this.sampledAt = Date.now()));
    return this.sampling;
  }

  /**
   * Reads the ids of one range of time after the other, from now backwards. The next one is longer after few ids, and
   * shorter after too many or an error.
   */
  private async sampleAfter(last = '0'.repeat(24)): Promise<string[]> {
    const sampled: string[][] = [];
    let end = Math.ceil(Date.now() / 1000);
    let upTo = {};
    for (let seconds = 60; ;) {
      const start = Types.ObjectId.createFromTime(Math.max(0, end - seconds));
      const isLast = String(start) <= last;
      const $gt = isLast ? new Types.ObjectId(last) : start;
      const limit = seconds === 1 ? undefined : CHUNK;
      const ids = await this.readIds({ $gt, ...upTo }, limit).catch((error: unknown) => {
        if (seconds === 1) throw error;
      });
      if (ids && ids.length !== limit) {
        sampled.unshift(ids.sort().filter((_id, index) => index % STEP === STEP - 1));
        if (isLast) return sampled.flat();
        [end, upTo] = [end - seconds, { $lte: start }];
        if (ids.length < CHUNK / 4) seconds *= 2;
      } else seconds = Math.ceil(seconds / 4);
    }
  }

  private async readIds(range: IdRange, limit: number | undefined): Promise<string[]> {
    const limits = { limit, batchSize: CHUNK, maxTimeMS: timeLimits.read };
    const options = { projection: { _id: 1 }, ...limits, ...readOptions() };
    return (await this.model.collection.find({ _id: range }, options).toArray()).map(({ _id }) => String(_id));
  }
}
