import { totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Connection, Types } from 'mongoose';
import { messageOf } from '../../base/errors/message-of';
import type { AnyModel } from '../connection/any-model';
import { timeLimits } from '../connection/connection-options';
import { isDatabaseUnavailable } from '../connection/database-errors';
import { databaseTime } from '../connection/driver-state';
import { memoized } from '../../base/memoized';
import { quirksOf } from '../connection/server-quirks';
import { searchedFields, withoutPrivateFields } from '../derived-fields';
import { readPage } from '../reads/find-page';
import { SharedReads } from '../reads/shared-reads';
import { inContext, readOptions } from '../transactions/context';
import { type Row, SearchTexts } from './search-texts';

/** Tests change them. */
export const searchLimits = {
  /** Fewer records are read as fast without an index. */
  records: 500,
  /** The share of the memory that the index of a Model may take. */
  memory: 0.03,
  /** The time from one build to the next (ms): texts that no record has any more are left out. */
  rebuildMs: 3_600_000,
  /** The most records written within OVERLAP_MS that each refresh reads. With more, it is faster to read all records. */
  written: 10_000,
};

/** How long before the last refresh the next one begins (ms): a write ends within 10 s, and clocks may differ by the rest. */
const OVERLAP_MS = 30_000;

/** The records of one read: of a range of ids, and by their ids. */
const RANGE = 1000;
const BATCH = 300;

class TooManyWritten extends Error {}

interface Searched {
  readonly _id: Types.ObjectId;
  readonly revision?: number;
  readonly searchText?: string;
}

/** One build, and what was added since: all texts, and what every caller sees of them. */
class Build {
  readonly all = new SearchTexts();
  readonly open = this.cut ? new SearchTexts() : this.all;
  readonly began = Date.now();
  readonly refreshes = new SharedReads();
  /** The revisions that it has of what was written shortly before the last refresh. */
  known: ReadonlyMap<string, number> = new Map();
  sorted = 0;
  others = 0;

  /** @param refreshedAt up to when it has what was written (ms) */
  constructor(
    private readonly cut: ((text: string) => string) | undefined,
    public refreshedAt: number,
  ) {}

  get isOld(): boolean {
    return Date.now() > this.began + searchLimits.rebuildMs || this.others > this.sorted / 10 + RANGE;
  }

  /** @throws Error when it takes too much memory */
  add(records: readonly Searched[], isSorted: boolean): void {
    const { all, open, cut } = this;
    const rows = records.map(({ _id, searchText }): Row => [String(_id), searchText ?? '']);
    all.add(rows, isSorted);
    const shown = cut && rows.map(([id, text]): Row => [id, cut(text)]);
    if (shown) open.add(shown, isSorted);
    this[isSorted ? 'sorted' : 'others'] += rows.length;
    const memory = Math.min(process.constrainedMemory() || Infinity, totalmem()) * searchLimits.memory;
    if (all.bytes + (cut ? open.bytes : 0) > memory) throw new Error('their texts would take too much memory');
  }
}

/** The index of what `q` searches in the records of a Model. */
export const searchIndexOf = memoized((model: AnyModel) => new SearchIndex(model));

/** Builds the indexes that are missing or old, one after the other, and brings the others up to date. */
export async function keepSearchIndexes(connection: Connection): Promise<void> {
  for (const index of searchIndexesOf(connection)) await index.keep();
}

/** How many Models have many records and no index. */
export function missingSearchIndexes(connection: Connection): number {
  return searchIndexesOf(connection).filter(({ isMissing }) => isMissing).length;
}

function searchIndexesOf({ models }: Connection): SearchIndex[] {
  const searched = Object.values<AnyModel>(models).filter(({ schema }) => searchedFields(schema).length > 0);
  return searched.map(searchIndexOf);
}

/**
 * Knows which records can contain a text (docs/adr/0027). The database decides which of them do. It may name too many, and
 * leaves out none that was stored before `open`.
 */
export class SearchIndex {
  private build: Build | undefined;
  private isWanted = true;
  private pausedUntil = 0;

  constructor(private readonly model: AnyModel) {}

  get isBuilt(): boolean {
    return this.build !== undefined;
  }

  /** Is false for few records, too, which are read as fast without it. */
  get isMissing(): boolean {
    return this.isWanted && !this.isBuilt;
  }

  /** @returns the texts that are stored now: all, or what every caller sees; undefined while there is no index */
  async open(isAll: boolean): Promise<SearchTexts | undefined> {
    const { build } = this;
    try {
      await build?.refreshes.run('', () => this.refresh(build));
      return isAll ? build?.all : build?.open;
    } catch (error) {
      if (build === this.build && !isDatabaseUnavailable(error)) this.build = undefined;
      return undefined;
    }
  }

  /** Builds it if it is missing or old. If the texts cannot be read or kept, searches read all records. */
  async keep(): Promise<void> {
    const { build, model } = this;
    if (build && !build.isOld && (await this.open(true))) return;
    try {
      if (Date.now() < this.pausedUntil) return;
      this.isWanted = (await model.collection.estimatedDocumentCount()) >= searchLimits.records;
      this.build = this.isWanted ? await inContext({ readsMajority: true }, () => this.rebuild()) : undefined;
    } catch (error) {
      if (isDatabaseUnavailable(error) || error instanceof TooManyWritten) return;
      this.pausedUntil = Date.now() + searchLimits.rebuildMs;
      new Logger('Search').warn(`Searches read all ${model.collection.name}: ${messageOf(error)}`);
    }
  }

  private async rebuild(): Promise<Build> {
    const { model } = this;
    const quirks = await quirksOf(model.db);
    const build = new Build(withoutPrivateFields(model.schema), databaseTime(model.db));
    for (let [after, hasMore] = [undefined as string | undefined, true]; hasMore;) {
      const start = performance.now();
      const query = { skip: 0, limit: RANGE, after };
      const page = await readPage<Searched>(model, {}, query, quirks, { fields: { searchText: 1 } });
      build.add(page.records, true);
      [after, hasMore] = [page.lastId, page.hasMore];
      // Half of the time is for requests.
      await sleep(performance.now() - start, undefined, { ref: false });
    }
    await this.refresh(build);
    return build;
  }

  /** Adds what was written since the last refresh. @throws TooManyWritten: there is an index again once fewer are */
  private async refresh(build: Build): Promise<void> {
    const { collection, db } = this.model;
    const majority = inContext({ readsMajority: true }, readOptions);
    const read = (filter: object, projection: object, limit?: number): Promise<Searched[]> => {
      const options = { projection, limit, maxTimeMS: timeLimits.read, batchSize: 10_000, ...majority };
      return collection.find(filter, options).toArray();
    };
    const now = databaseTime(db);
    const since = new Date(build.refreshedAt - OVERLAP_MS);
    const written = await read({ updatedAt: { $gte: since } }, { revision: 1 }, searchLimits.written + 1);
    if (written.length > searchLimits.written) throw new TooManyWritten();
    const revisions = ({ _id, revision = 0 }: Searched): [string, number] => [String(_id), revision];
    const known = new Map(written.map(revisions));
    const ids = written.flatMap(({ _id }) => (build.known.get(String(_id)) === known.get(String(_id)) ? [] : [_id]));
    for (let at = 0; at < ids.length; at += BATCH) {
      const records = await read({ _id: { $in: ids.slice(at, at + BATCH) } }, { revision: 1, searchText: 1 });
      build.add(records, false);
      for (const record of records) known.set(...revisions(record));
    }
    build.known = known;
    build.refreshedAt = now;
  }
}
