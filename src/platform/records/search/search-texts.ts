/** The most characters of a part with several rows: a search reads them in less than a millisecond, whatever they are. */
const PART = 64 * 1024;

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

/** Rows with neighbouring ids. Their texts are one for a search, and apart when they change. */
class Part {
  readonly rows: { readonly id: string; readonly open: number; readonly length: number }[] = [];
  characters = 0;
  private texts: string[] = [];
  private joined: string | undefined;

  get id(): string {
    return this.rows[0]!.id;
  }

  /** Adds a row, or replaces the one with its id. @returns how many more characters it has now */
  set({ id, text, open }: Row): number {
    const last = lastUpTo(this.rows, id);
    const replaced = this.rows[last]?.id === id ? 1 : 0;
    const added = text.length - (replaced && this.rows[last]!.length);
    this.split().splice(last + 1 - replaced, replaced, text);
    this.rows.splice(last + 1 - replaced, replaced, { id, open, length: text.length });
    this.characters += added;
    return added;
  }

  /** Moves the second half of the rows into another part, or only the last one if it was added just now. */
  rest(added: string): Part {
    // In the order of the ids, each part gets full before the next one begins.
    const from = this.rows.at(-1)!.id === added ? -1 : Math.floor(this.rows.length / 2);
    const other = new Part();
    other.texts = this.split().splice(from);
    other.rows.push(...this.rows.splice(from));
    other.characters = other.texts.reduce((sum, { length }) => sum + length, 0);
    this.characters -= other.characters;
    return other;
  }

  /** The ids of the rows with a text. It has no line feed, so no match crosses from one row into the next. */
  find({ text, own }: Search): string[] {
    this.joined ??= this.texts.join('\n');
    this.texts = [];
    const ids: string[] = [];
    let [at, start] = [0, 0];
    for (let match = this.joined.indexOf(text); match !== -1; match = this.joined.indexOf(text, start)) {
      for (; start + this.rows[at]!.length < match; at += 1) start += this.rows[at]!.length + 1;
      const { id, length, open } = this.rows[at]!;
      if (own === 'all' || own === id || match - start + text.length <= open) ids.push(id);
      at += 1;
      start += length + 1;
    }
    return ids;
  }

  /** The texts of the rows. */
  private split(): string[] {
    const { joined } = this;
    let end = -1;
    if (joined !== undefined) this.texts = this.rows.map(({ length }) => joined.slice(end + 1, (end += length + 1)));
    this.joined = undefined;
    return this.texts;
  }
}

/** Texts in memory, in the order of their ids. */
export class SearchTexts {
  private readonly parts: Part[] = [];
  characters = 0;

  /**
   * @param most characters that it has room for
   * @param leftOut the owners of records that it may not have
   */
  constructor(
    private readonly most = Infinity,
    readonly leftOut = new Set<string>(),
  ) {}

  /** Adds a row, or replaces the one with its id. If there is no room, its owner is left out from now on. */
  set(row: Row, owner = row.id): void {
    if (this.characters + row.text.length > this.most) this.leftOut.add(owner);
    if (this.leftOut.has(owner)) return;
    const index = Math.max(0, lastUpTo(this.parts, row.id));
    const part = (this.parts[index] ??= new Part());
    this.characters += part.set(row);
    if (part.characters > PART && part.rows.length > 1) this.parts.splice(index + 1, 0, part.rest(row.id));
  }

  /**
   * Searches part by part. Between the parts, rows may be added; a record that has the text from the beginning to the end
   * is found.
   * @yields how many characters it has read
   */
  *look(search: Search): Generator<number, Found, void> {
    const { isBackwards = false, limit } = search;
    const ids: string[] = [];
    // Parts split meanwhile, so the search goes on by id.
    let last = search.after;
    let read = 0;
    const isNext = (id: string): boolean => last === undefined || (isBackwards ? id < last : id > last);
    for (let part = this.next(last, isBackwards); part; part = this.next(last, isBackwards)) {
      const found = part.find(search).filter(isNext);
      for (const id of isBackwards ? found.reverse() : found) ids.push(id);
      if (ids.length > limit) break;
      last = isBackwards ? part.id : part.rows.at(-1)!.id;
      yield (read += part.characters);
    }
    return { ids: ids.slice(0, limit), isAll: ids.length <= limit };
  }

  /** The part with the first row after an id. */
  private next(last: string | undefined, isBackwards: boolean): Part | undefined {
    if (last === undefined) return this.parts.at(isBackwards ? -1 : 0);
    const at = lastUpTo(this.parts, last);
    if (isBackwards) return this.parts[this.parts[at]?.id === last ? at - 1 : at];
    const part = this.parts[at];
    return part && part.rows.at(-1)!.id > last ? part : this.parts[at + 1];
  }
}

/** The index of the last item, in the order of their ids, with this id or one before it; -1 if there is none. */
function lastUpTo(items: readonly { readonly id: string }[], id: string): number {
  let [from, to] = [0, items.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (items[middle]!.id <= id) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}
