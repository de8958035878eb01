/** Records whose texts are joined into one, which is searched first. */
const PART = 500;

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
  joined?: string | undefined;
}

/** Texts in memory, in the order of their ids. */
export class SearchTexts {
  private readonly parts: Part[] = [];
  characters = 0;

  /** Adds a row, or replaces the one with its id. */
  set(row: Row): void {
    let part = this.parts.findLast(({ rows }) => rows[0]!.id <= row.id) ?? this.parts[0];
    const isLast = part === this.parts.at(-1);
    if (!part || (isLast && part.rows.length >= PART && part.rows.at(-1)!.id < row.id))
      this.parts.push((part = { rows: [] }));
    const at = part.rows.findLastIndex(({ id }) => id <= row.id);
    const before = part.rows[at]?.id === row.id ? part.rows[at] : undefined;
    part.rows.splice(before ? at : at + 1, before ? 1 : 0, row);
    part.joined = undefined;
    this.characters += row.text.length - (before?.text.length ?? 0);
  }

  find({ text, isBackwards = false, after, own, limit }: Search): Found {
    const ids: string[] = [];
    const isNext = (id: string): boolean => after === undefined || (isBackwards ? id < after : id > after);
    const isFound = (row: Row): boolean => {
      const at = row.text.indexOf(text);
      return at !== -1 && (own === 'all' || own === row.id || at + text.length <= row.open);
    };
    for (const part of isBackwards ? this.parts.toReversed() : this.parts) {
      // A text that is searched for has no line feed, so no match crosses from one row into the next.
      part.joined ??= part.rows.map((row) => row.text).join('\n');
      if (!part.joined.includes(text)) continue;
      const found = part.rows.filter((row) => isNext(row.id) && isFound(row)).map(({ id }) => id);
      ids.push(...(isBackwards ? found.reverse() : found));
      if (ids.length > limit) break;
    }
    return { ids: ids.slice(0, limit), isAll: ids.length <= limit };
  }
}
