import { setImmediate } from 'node:timers/promises';

/** The most characters of a part with several rows. */
const PART = 256 * 1024;

/** Time after which a search lets other work run (ms); a part takes less than one more. */
const PAUSE_AFTER_MS = 4;

/** A record in the index. */
export interface Row {
  /** Hexadecimal. */
  readonly id: string;
  readonly text: string;
  /** So many characters of the text are seen by every caller; the rest are private fields. */
  readonly open: number;
}

/** What to search: the first ids with a text. */
export interface Search {
  readonly text: string;
  /** From the highest id on. */
  readonly isBackwards?: boolean;
  /** The id after which to begin. */
  readonly after?: string | undefined;
  /** The record whose private fields are searched; `all` of them. */
  readonly own: string;
  readonly limit: number;
}

export interface Found {
  readonly ids: readonly string[];
  /** Whether no others contain the text. */
  readonly isAll: boolean;
}

interface Part {
  readonly rows: Row[];
  characters: number;
  joined?: string | undefined;
}

/** Texts in memory, in the order of their ids. */
export class SearchTexts {
  private readonly parts: Part[] = [];
  characters = 0;

  /** Adds a row, or replaces the one with its id. */
  set(row: Row): void {
    const index = Math.max(
      0,
      this.parts.findLastIndex(({ rows }) => rows[0]!.id <= row.id),
    );
    const part = (this.parts[index] ??= { rows: [], characters: 0 });
    const { rows } = part;
    const at = rows.findLastIndex(({ id }) => id <= row.id);
    const before = rows[at]?.id === row.id ? rows[at] : undefined;
    rows.splice(before ? at : at + 1, before ? 1 : 0, row);
    const added = row.text.length - (before?.text.length ?? 0);
    part.characters += added;
    part.joined = undefined;
    this.characters += added;
    if (part.characters <= PART || rows.length === 1) return;
    // In the order of the ids, each part gets full before the next one begins.
    const rest = rows.splice(rows.at(-1) === row ? -1 : Math.floor(rows.length / 2));
    const characters = rest.reduce((sum, { text }) => sum + text.length, 0);
    part.characters -= characters;
    this.parts.splice(index + 1, 0, { rows: rest, characters });
  }

  /** Pauses between parts. A record that has the text from the beginning to the end is found. */
  async find({ text, isBackwards = false, after, own, limit }: Search): Promise<Found> {
    const ids: string[] = [];
    // During a pause, rows are added and parts split, so the search goes on by id.
    let last = after;
    let began = performance.now();
    const isNext = (id: string): boolean => last === undefined || (isBackwards ? id < last : id > last);
    const isFound = (row: Row): boolean => {
      const at = row.text.indexOf(text);
      return at !== -1 && (own === 'all' || own === row.id || at + text.length <= row.open);
    };
    while (ids.length <= limit) {
      const part = isBackwards
        ? this.parts.findLast(({ rows }) => isNext(rows[0]!.id))
        : this.parts.find(({ rows }) => isNext(rows.at(-1)!.id));
      if (!part) break;
      // A text that is searched for has no line feed, so no match crosses from one row into the next.
      part.joined ??= part.rows.map((row) => row.text).join('\n');
      const found = part.joined.includes(text) ? part.rows.filter((row) => isNext(row.id) && isFound(row)) : [];
      ids.push(...(isBackwards ? found.reverse() : found).map(({ id }) => id));
      last = (isBackwards ? part.rows[0] : part.rows.at(-1))!.id;
      if (performance.now() - began < PAUSE_AFTER_MS) continue;
      await setImmediate();
      began = performance.now();
    }
    return { ids: ids.slice(0, limit), isAll: ids.length <= limit };
  }
}
