import { totalmem } from 'node:os';
import { Logger } from '@nestjs/common';
import type { Connection, Types } from 'mongoose';
import { messageOf } from '../../base/errors/message-of';
import type { AnyModel } from '../driver/any-model';
import { timeLimits } from '../driver/connection-options';
import { isDatabaseUnavailable } from '../driver/database-errors';
import { memoized } from '../../base/memoized';
import { searchedFields, withoutPrivateFields } from '../schema/derived-fields';
import { SharedReads } from '../reads/shared-reads';
import { SearchTexts } from './search-texts';

/** Tests change them. */
export const searchLimits = {
  /** Fewer records are read as fast without an index. */
  records: 500,
  /** The share of the memory that the index of a Model may take. */
  memory: 0.03,
  /** The time from one build to the next (ms): records that are gone are left out. */
  rebuildMs: 3_600_000,
  /** The most records written within OVERLAP_MS that each refresh reads. With more, it is faster to read all records. */
  written: 10_000,
};

/** How long before the last refresh the next one begins (ms): a write ends within 10 s, and clocks may differ by the rest. */
const OVERLAP_MS = 60_000;

class TooManyWritten extends Error {}

interface Searched {
  readonly _id: Types.ObjectId;
  readonly searchText?: string;
}

/** The index of what `q` searches in the records of a Model. */
export const searchIndexOf = memoized((model: AnyModel) => new SearchIndex(model));

/** Builds the indexes that are missing or old, one after the other. */
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
  private texts: SearchTexts | undefined;
  private isWanted = true;
  private builtAt = 0;
  private pausedUntil = 0;
  /** Up to when it has what was written (ms). */
  private refreshedAt = 0;
  private readonly refreshes = new SharedReads();

  constructor(private readonly model: AnyModel) {}

  get isBuilt(): boolean {
    return this.texts !== undefined;
  }

  /** Is false for few records, too, which are read as fast without it. */
  get isMissing(): boolean {
    return this.isWanted && !this.isBuilt;
  }

  /** @returns the texts that are stored now; undefined while there is no index */
  async open(): Promise<SearchTexts | undefined> {
    try {
      return await this.refreshes.run('', async () => this.texts && (await this.refresh(this.texts)));
    } catch (error) {
      if (!isDatabaseUnavailable(error)) this.texts = undefined;
      return undefined;
    }
  }

  /** Builds it if it is missing or old. If the texts cannot be read or kept, searches read all records. */
  async keep(): Promise<void> {
    if (Date.now() < this.builtAt + searchLimits.rebuildMs && (await this.open())) return;
    if (Date.now() < this.pausedUntil) return;
    try {
      this.isWanted = (await this.model.collection.estimatedDocumentCount()) >= searchLimits.records;
      this.texts = this.isWanted ? await this.build() : undefined;
      this.builtAt = Date.now();
    } catch (error) {
      if (isDatabaseUnavailable(error) || error instanceof TooManyWritten) return;
      this.pausedUntil = Date.now() + searchLimits.rebuildMs;
      new Logger('Search').warn(`Searches read all ${this.model.collection.name}: ${messageOf(error)}`);
    }
  }

  private async build(): Promise<SearchTexts> {
    const texts = new SearchTexts();
    const began = Date.now();
    for await (const record of this.read({}).sort({ _id: 1 })) this.add(texts, record);
    this.refreshedAt = began;
    return this.refresh(texts);
  }

  /** Adds what was written since the last refresh. @throws TooManyWritten: there is an index again once fewer are */
  private async refresh(texts: SearchTexts): Promise<SearchTexts> {
    const now = Date.now();
    const since = new Date(this.refreshedAt - OVERLAP_MS);
    const written = await this.read({ updatedAt: { $gte: since } }, searchLimits.written + 1).toArray();
    if (written.length > searchLimits.written) throw new TooManyWritten();
    for (const record of written) this.add(texts, record);
    this.refreshedAt = now;
    return texts;
  }

  private add(texts: SearchTexts, { _id, searchText = '' }: Searched): void {
    const open = withoutPrivateFields(this.model.schema)?.(searchText) ?? searchText;
    texts.set({ id: String(_id), text: searchText, open: open.length });
    const memory = Math.min(process.constrainedMemory() || Infinity, totalmem()) * searchLimits.memory;
    if (2 * texts.characters > memory) throw new Error('their texts would take too much memory');
  }

  private read(filter: object, limit = 0) {
    const options = { projection: { searchText: 1 }, limit, maxTimeMS: timeLimits.read, batchSize: 1000 } as const;
    return this.model.collection.find<Searched>(filter, options);
  }
}
