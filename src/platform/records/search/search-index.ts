import { totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, Types } from 'mongoose';
import type { AnyModel } from '../connection/any-model';
import { timeLimits } from '../connection/connection-options';
import { databaseTime } from '../connection/driver-state';
import { memoized } from '../connection/memoized';
import { quirksOf } from '../connection/server-quirks';
import { withoutPrivateFields } from '../derived-fields';
import { readRecords } from '../reads/find-page';
import { SharedReads } from '../reads/shared-reads';
import { inContext, readOptions } from '../transactions/context';
import { SearchThread } from './search-thread';
import type { Found, Rows, Search } from './search-worker';

/** Tests change them. */
export const searchLimits = {
  /** With fewer records it is as fast to read all of them. */
  records: 500,
  /** The share of the memory that all indexes may take. */
  memory: 1 / 8,
  /** The time from one build to the next (ms), which leaves out texts that no record has any more. */
  rebuildMs: 3_600_000,
};

/**
 * Each look begins this long before the last one (ms): a write is stored at most 10 s after the time that it has; the rest
 * is for clocks that differ.
 */
const OVERLAP_MS = 30_000;

/** The records of one read: of a range of ids, and by their ids. */
const RANGE = 1000;
const BATCH = 300;

/** What an index knows of a record. */
interface SearchedRecord {
  readonly _id: Types.ObjectId;
  readonly revision: number;
  readonly searchText?: string;
}

/** What one build has made. */
interface Build {
  /** The index of all texts, and that of what every caller sees of them: the same one if that is all. */
  readonly all: number;
  readonly open: number;
  readonly began: number;
  /** The time up to which it has all changes (ms). */
  lookedAt: number;
  /** The revisions of the records that have changed since a while before. */
  known: ReadonlyMap<string, number>;
  records: number;
  added: number;
}

const threadOf = memoized((_connection: Connection) => new SearchThread());

/** Ends the search of a connection. */
export const stopSearch = (connection: Connection): Promise<void> => threadOf(connection).stop();

/** The index of the texts of a Model. */
export const searchIndexOf = memoized((model: AnyModel) => new SearchIndex(model, threadOf(model.db)));

/**
 * Knows which records can contain a text (docs/adr/0027). It decides nothing: the database looks for the text in these
 * records. It may name too many, and leaves out none that was stored before it was opened.
 */
export class SearchIndex {
  private build: Build | undefined;
  private retryAt = 0;
  private readonly looks = new SharedReads();

  constructor(
    private readonly model: AnyModel,
    private readonly thread: SearchThread,
  ) {}

  get isBuilt(): boolean {
    return this.build !== undefined;
  }

  /**
   * Brings the index up to date.
   * @returns a search of what is stored now, which returns undefined once there is a newer index; undefined while there
   *   is no index
   */
  async open(): Promise<((search: Search, isPrivate: boolean) => Promise<Found | undefined>) | undefined> {
    const { build } = this;
    if (!build) return undefined;
    try {
      await this.looks.run(String(build.all), () => this.look(build));
    } catch {
      return undefined;
    }
    return async (search, isPrivate) => {
      const found = await this.thread.find(isPrivate ? build.all : build.open, search).catch(() => undefined);
      if (!found && build === this.build) this.build = undefined;
      return found;
    };
  }

  /**
   * Builds the index if there is none or it is old, and otherwise brings it up to date.
   * @throws Error when the texts cannot be read or kept; searches then read all records
   */
  async keep(): Promise<void> {
    const { build } = this;
    const isOld = build && (Date.now() > build.began + searchLimits.rebuildMs || build.added > build.records + RANGE);
    if (Date.now() < this.retryAt || (build && !isOld && (await this.open()))) return;
    if ((await this.model.collection.estimatedDocumentCount()) < searchLimits.records) return;
    this.build = await inContext({ readsMajority: true }, () => this.rebuild());
    if (build) await this.drop(build);
  }

  private async rebuild(): Promise<Build> {
    const [began, lookedAt] = [Date.now(), databaseTime(this.model.db)];
    const all = await this.thread.create();
    const open = withoutPrivateFields(this.model.schema) ? await this.thread.create() : all;
    const build: Build = { all, open, began, lookedAt, known: new Map(), records: 0, added: 0 };
    try {
      for (let records: SearchedRecord[] = [], isFirst = true; isFirst || records.length === RANGE; isFirst = false) {
        const start = performance.now();
        records = await this.readAfter(records.at(-1)?._id);
        await this.add(build, records, true);
        // Half of the time is for requests.
        await sleep(performance.now() - start, undefined, { ref: false });
      }
      await this.look(build);
      return build;
    } catch (error) {
      await this.drop(build).catch(() => undefined);
      throw error;
    }
  }

  private async readAfter(id?: Types.ObjectId): Promise<SearchedRecord[]> {
    const from = id ? [{ _id: { $gt: id } }] : [];
    const fields = { searchText: 1 } as const;
    const read = {
      model: this.model,
      lookups: [],
      filters: [],
      from,
      skip: 0,
      limit: RANGE - 1,
      order: 1,
      fields,
    } as const;
    return readRecords<SearchedRecord>(read, await quirksOf(this.model.db));
  }

  /** Adds what was changed since the last look. */
  private async look(build: Build): Promise<void> {
    const { collection, db } = this.model;
    const majority = inContext({ readsMajority: true }, readOptions);
    const read = (filter: object, projection: object): Promise<SearchedRecord[]> => {
      const options = { projection, maxTimeMS: timeLimits.read, batchSize: 10_000, ...majority };
      return collection.find(filter, options).toArray() as Promise<never>;
    };
    const now = databaseTime(db);
    const since = new Date(build.lookedAt - OVERLAP_MS);
    const changed = await read({ updatedAt: { $gte: since } }, { _id: 1, revision: 1 });
    const ids = changed.flatMap(({ _id, revision }) => (build.known.get(String(_id)) === revision ? [] : [_id]));
    for (let at = 0; at < ids.length; at += BATCH) {
      const records = await read({ _id: { $in: ids.slice(at, at + BATCH) } }, { searchText: 1 });
      await this.add(build, records, false);
    }
    build.known = new Map(changed.map(({ _id, revision }) => [String(_id), revision]));
    build.lookedAt = now;
  }

  /** @throws Error when all indexes take too much memory */
  private async add(build: Build, records: readonly SearchedRecord[], isSorted: boolean): Promise<void> {
    if (records.length === 0) return;
    const rows: Rows = records.map(({ _id, searchText }) => [String(_id), searchText ?? '']);
    let bytes = await this.thread.add(build.all, rows, isSorted);
    const cut = withoutPrivateFields(this.model.schema);
    if (cut)
      bytes = await this.thread.add(
        build.open,
        rows.map(([id, text]) => [id, cut(text)] as const),
        isSorted,
      );
    build[isSorted ? 'records' : 'added'] += rows.length;
    if (bytes === undefined) throw new Error('The index is gone.');
    const memory = Math.min(process.constrainedMemory() || Infinity, totalmem());
    if (bytes < memory * searchLimits.memory) return;
    this.retryAt = Date.now() + searchLimits.rebuildMs;
    if (build === this.build) this.build = undefined;
    await this.drop(build);
    throw new Error(`The texts of ${this.model.collection.name} need too much memory.`);
  }

  private async drop({ all, open }: Build): Promise<void> {
    for (const index of new Set([all, open])) await this.thread.drop(index);
  }
}
