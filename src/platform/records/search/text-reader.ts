import { totalmem } from 'node:os';
import { Logger } from '@nestjs/common';
import { Types } from 'mongoose';
import type { AnyModel } from '../driver/any-model';
import { readTimeOf } from '../driver/connection-options';
import { withoutPrivateFields } from '../schema/derived-fields';
import { referencesIn } from '../schema/references';
import { SearchTexts } from './search-texts';

/** How long before the last refresh the next one begins (ms): a write ends within 10 s, and clocks may differ by the rest. */
const OVERLAP_MS = 60_000;

/** The memory of the machine or container (bytes). */
const MEMORY = Math.min(process.constrainedMemory() || Infinity, totalmem());

export const LIMITS = {
  /** Fewer records are read as fast without an index. */
  records: 500,
  /** The share of the memory that the texts of a Model may take. */
  memory: 0.03,
  /** The most owners that are left out. With more, the database reads all records about as fast. */
  leftOut: 1000,
  /** The time from one build to the next (ms): deleted records are left out. */
  rebuildMs: 3_600_000,
  /** The most records written within OVERLAP_MS that each refresh reads. With more, it is faster to read all records. */
  written: 10_000,
};

/** The share of its memory that an index without some owners takes, so there is room until the next build. */
const FILLED = 0.75;

const TOO_LONG = 'their texts would take too much memory';

/** The most owners that the log names. */
const MAX_LOGGED = 20;

export class TooManyWritten extends Error {}

interface Searched {
  readonly _id: Types.ObjectId;
  readonly searchText?: string;
}

/** Reads the texts of a Model into memory. */
export class TextReader {
  /** The field with the id of a record's owner: the record that it is deleted with, or itself. */
  readonly owner: string;
  /** Up to when it has read what was written (ms). */
  private refreshedAt = 0;

  constructor(
    private readonly model: AnyModel,
    private readonly limits: Readonly<typeof LIMITS>,
  ) {
    const owner = referencesIn(model).find((one) => one.isRequired && !one.list && one.onDelete === 'remove');
    this.owner = owner?.path ?? '_id';
  }

  /** Reads all, but for the largest owners if there is no room for all. */
  async build(): Promise<SearchTexts> {
    const began = Date.now();
    const texts = (await this.readAll()) ?? (await this.readAll(await this.largestOwners()))!;
    this.refreshedAt = began;
    return this.refresh(texts);
  }

  /** @returns undefined if there is no room for all, unless it is known what to leave out */
  private async readAll(leftOut?: Set<string>): Promise<SearchTexts | undefined> {
    const texts = new SearchTexts(this.room, leftOut);
    for await (const record of this.read({}).sort({ _id: 1 })) {
      this.add(texts, record);
      if (!leftOut && texts.leftOut.size > 0) return undefined;
    }
    return texts;
  }

  private get room(): number {
    return MEMORY * this.limits.memory;
  }

  /** The owners with the longest texts: without them, the others fit. */
  private async largestOwners(): Promise<Set<string>> {
    const sizes = new Map<string, number>();
    let all = 0;
    for await (const record of this.read({})) {
      const [owner, { length }] = [this.ownerOf(record), record.searchText ?? ''];
      sizes.set(owner, (sizes.get(owner) ?? 0) + length);
      all += length;
    }
    const largest = new Set<string>();
    for (const [owner, size] of [...sizes].sort(([, one], [, other]) => other - one)) {
      if (all <= FILLED * this.room) break;
      largest.add(owner);
      all -= size;
    }
    this.assertFew(largest);
    const names = [...largest].slice(0, MAX_LOGGED).join(', ') + (largest.size > MAX_LOGGED ? ', …' : '');
    const { name } = this.model.collection;
    new Logger('Search').warn(
      `Searches read the ${name} with these ${this.owner} from the database: ${TOO_LONG}: ${names}`,
    );
    return largest;
  }

  private assertFew({ size }: ReadonlySet<string>): void {
    if (size > this.limits.leftOut) throw new Error(TOO_LONG);
  }

  private ownerOf(record: Searched): string {
    return String(record[this.owner as '_id']);
  }

  /** Adds what was written since the last refresh. @throws TooManyWritten: there is an index again once fewer are */
  async refresh(texts: SearchTexts): Promise<SearchTexts> {
    const now = Date.now();
    const since = new Date(this.refreshedAt - OVERLAP_MS);
    const written = await this.read({ updatedAt: { $gte: since } }, this.limits.written + 1).toArray();
    if (written.length > this.limits.written) throw new TooManyWritten();
    for (const record of written) this.add(texts, record);
    this.assertFew(texts.leftOut);
    this.refreshedAt = now;
    return texts;
  }

  private add(texts: SearchTexts, record: Searched): void {
    const { _id, searchText = '' } = record;
    const { length } = withoutPrivateFields(this.model.schema, searchText);
    texts.set({ id: _id.toHexString(), text: searchText, open: length }, this.ownerOf(record));
  }

  private read(filter: object, limit = 0) {
    const { collection, db } = this.model;
    const options = {
      projection: { searchText: 1, [this.owner]: 1 },
      limit,
      maxTimeMS: readTimeOf(db),
      batchSize: 1000,
    } as const;
    return collection.find<Searched>(filter, options);
  }
}
