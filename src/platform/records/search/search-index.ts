import { Logger } from '@nestjs/common';
import { Types } from 'mongoose';
import { messageOf } from '../../base/errors/message-of';
import { searchKey } from '../../base/text/case-fold';
import type { Database } from '../database';
import type { AnyModel } from '../driver/any-model';
import { readTimeOf } from '../driver/connection-options';
import { isDatabaseUnavailable } from '../driver/database-errors';
import type { ServerQuirks } from '../driver/quirks';
import { type Conditions, type ListParams, readPage } from '../reads/find-page';
import type { Page } from '../reads/page';
import { SharedReads } from '../reads/shared-reads';
import { searchedFields } from '../schema/derived-fields';
import { isById } from '../schema/sorts';
import { Looks } from './looks';
import { PlainReads } from './plain-reads';
import type { Found, Search, SearchTexts } from './search-texts';
import { LIMITS, TextReader, TooManyWritten } from './text-reader';

/** The most records in which the database looks for a text, and counts it. */
const MAX_NAMED = 1000;
const MAX_COUNTED = 500;

/** The indexes of what `q` searches in the records of a connection's Models. */
export class SearchIndexes {
  readonly limits = { ...LIMITS };
  readonly looks = new Looks();
  readonly plainReads: PlainReads;
  private readonly byModel = new Map<AnyModel, SearchIndex>();

  constructor(private readonly database: Database) {
    this.plainReads = new PlainReads(database);
  }

  of(model: AnyModel): SearchIndex {
    const index = this.byModel.get(model) ?? new SearchIndex(model, this);
    this.byModel.set(model, index);
    return index;
  }

  /** Builds the indexes that are missing or old, one after the other. @returns whether all that are needed are built */
  async keep(): Promise<boolean> {
    let areBuilt = true;
    for (const model of Object.values<AnyModel>(this.database.connection.models))
      if (searchedFields(model.schema).length > 0 && !(await this.of(model).keep())) areBuilt = false;
    return areBuilt;
  }
}

/**
 * Knows which records can contain a text (docs/adr/0027). The database decides which of them do. It may name too many, and
 * leaves out none that was stored before the search.
 */
export class SearchIndex {
  private texts: SearchTexts | undefined;
  private builtAt = 0;
  private pausedUntil = 0;
  private readonly refreshes = new SharedReads();
  private readonly reader: TextReader;

  constructor(
    private readonly model: AnyModel,
    private readonly all: Pick<SearchIndexes, 'limits' | 'looks' | 'plainReads'>,
  ) {
    this.reader = new TextReader(model, all.limits);
  }

  get isBuilt(): boolean {
    return this.texts !== undefined;
  }

  /**
   * Reads a page of a search in the records that the index names: as many of the first records as the page may need, and as
   * many as it can name if it is not full.
   * @returns undefined where the index cannot tell, so all records are to be read
   * @throws ApiError overloaded (503) when the database takes too long, or the account has too many long looks
   */
  async page<R extends { _id: Types.ObjectId }>(
    conditions: Conditions,
    query: ListParams,
    find: ServerQuirks['readPage'],
    account: string,
  ): Promise<Page<R> | undefined> {
    const { q = '', own, skip, limit, after, exactCount } = query;
    const text = searchKey(q);
    const { lookups, filters } = conditions;
    // Few records are read without the index, too.
    const isServed = text.trim() !== '' && skip + limit < MAX_NAMED && lookups.length === 0;
    const texts = isServed ? await this.open() : undefined;
    if (!texts) return undefined;
    // A count is of the records before this page, too.
    const begin = exactCount ? undefined : after;
    const search = { text, isBackwards: query.sort === '-_id', own: own?.toHexString() ?? 'all', after: begin };
    // In another order, any of them may be the first.
    const first = isById(query) ? 2 * (skip + limit + 1) : MAX_NAMED;
    for (const most of [exactCount ? MAX_COUNTED : first, MAX_NAMED]) {
      const found = await this.find(texts, { ...search, limit: Math.min(most, MAX_NAMED) }, filters, account);
      if ((exactCount || !isById(query)) && !found.isAll) return undefined;
      const ids = found.ids.map((id) => new Types.ObjectId(id));
      const page = await readPage<R>(this.model, conditions, query, find, ids);
      if (found.isAll || page.hasMore) return page;
    }
    return undefined;
  }

  /**
   * Builds it if it is missing or old. If the texts cannot be read or kept, searches read all records.
   * @returns whether it is built, or there are so few records that they are read as fast without it
   */
  async keep(): Promise<boolean> {
    if (Date.now() < this.builtAt + this.all.limits.rebuildMs && (await this.open())) return true;
    if (Date.now() < this.pausedUntil) return this.isBuilt;
    try {
      const isWanted = (await this.model.collection.estimatedDocumentCount()) >= this.all.limits.records;
      this.texts = isWanted ? await this.reader.build() : undefined;
      this.builtAt = Date.now();
      return true;
    } catch (error) {
      if (isDatabaseUnavailable(error) || error instanceof TooManyWritten) return this.isBuilt;
      this.pausedUntil = Date.now() + this.all.limits.rebuildMs;
      new Logger('Search').warn(`Searches read all ${this.model.collection.name}: ${messageOf(error)}`);
      return this.isBuilt;
    }
  }

  /** Finds the first ids: those that the texts name, and those that the database finds among what they leave out. */
  private async find(texts: SearchTexts, search: Search, filters: readonly object[], account: string): Promise<Found> {
    const named = await this.all.looks.run(account, texts.look(search));
    if (texts.leftOut.size === 0) return named;
    const { isBackwards, after, limit } = search;
    const owners = { [this.reader.owner]: { $in: Array.from(texts.leftOut, (id) => new Types.ObjectId(id)) } };
    const range = after ? [{ _id: { [isBackwards ? '$lt' : '$gt']: new Types.ObjectId(after) } }] : [];
    const stages = [
      ...[owners, ...range, ...filters].map(($match) => ({ $match })),
      { $sort: { _id: isBackwards ? -1 : 1 } as const },
      { $limit: limit + 1 },
      { $project: { _id: 1 } },
    ];
    const { collection, db } = this.model;
    const read = () => collection.aggregate<{ _id: Types.ObjectId }>(stages, { maxTimeMS: readTimeOf(db) }).toArray();
    const others = (await this.all.plainReads.run(account, read)).map(({ _id }) => _id.toHexString());
    const ids = [...new Set([...named.ids, ...others])].sort();
    if (isBackwards) ids.reverse();
    return { ids: ids.slice(0, limit), isAll: named.isAll && ids.length <= limit };
  }

  /** @returns the texts that are stored now; undefined while there is no index */
  private async open(): Promise<SearchTexts | undefined> {
    try {
      return await this.refreshes.run('', async () => this.texts && (await this.reader.refresh(this.texts)));
    } catch (error) {
      if (!isDatabaseUnavailable(error)) this.texts = undefined;
      return undefined;
    }
  }
}
