/** The text of a block (bytes). */
const BLOCK = 8192;

/** How many numbers the parts of texts have: three bytes each. Different parts may have the same number. */
const PARTS = 2 ** 14;

/** The most text that a search looks through (bytes), which takes the event loop about 5 ms. */
const MOST = 16 * 1024 * 1024;

const ID_BYTES = 12;

/** An id as hexadecimal text, and the text of its record. */
export type Row = readonly [id: string, text: string];

/** What to search: the first ids with a text. */
export interface Search {
  readonly text: string;
  /** From the highest id on. */
  readonly isBackwards?: boolean;
  /** The id after which to begin. */
  readonly after?: string | undefined;
  /** Is found whatever its text is. */
  readonly own?: string | undefined;
  readonly limit: number;
}

export interface Found {
  readonly ids: readonly string[];
  /** Whether no others contain the text. */
  readonly isAll: boolean;
}

/** Rows: their ids, their text, where each begins, and a bit for each number of a part that they have. */
type Block = Readonly<Record<'ids' | 'text', Buffer> & { starts: Uint32Array; parts: Uint8Array }>;

/**
 * Texts in memory, to search. Rows are only added: a record whose text has changed gets another one, and keeps the old one. Of
 * those that are added in the order of their ids, a search reads no more than it needs.
 */
export class SearchTexts {
  private readonly sorted: Block[] = [];
  private readonly others: Block[] = [];
  /** The rows of the last block, which is made again until it is full. */
  private newest: readonly Row[] = [];
  /** The memory that it takes. */
  bytes = 0;

  /** @param isSorted whether the ids follow all that were added so before */
  add(rows: readonly Row[], isSorted: boolean): void {
    const [blocks, all] = isSorted ? [this.sorted, rows] : [this.others, [...this.newest, ...rows]];
    if (!isSorted && this.newest.length > 0) this.bytes -= bytesOf(blocks.pop()!);
    let block: Row[] = [];
    let length = 0;
    for (const [index, row] of all.entries()) {
      length += row[1].length + 1;
      block.push(row);
      if (length < BLOCK && index < all.length - 1) continue;
      blocks.push(blockOf(block));
      this.bytes += bytesOf(blocks.at(-1)!);
      if (!isSorted) this.newest = length < BLOCK ? block : [];
      [block, length] = [[], 0];
    }
  }

  /** @returns undefined when it would take too long */
  find({ text, isBackwards = false, after, own, limit }: Search): Found | undefined {
    const isNext = (id: string): boolean => after === undefined || (isBackwards ? id < after : id > after);
    const [sought, parts] = [Buffer.from(text), partsOf(Buffer.from(text))];
    const found = new Set(own !== undefined && isNext(own) ? [own] : []);
    let [read, inOrder] = [0, 0];
    const findIn = (block: Block): void => {
      if (read > MOST || !hasParts(block, parts)) return;
      read += block.text.length;
      const ids = idsIn(block, sought).filter(isNext);
      for (const id of ids) found.add(id);
      inOrder += ids.length;
    };
    this.others.forEach(findIn);
    inOrder = 0;
    for (let at = 0; at < this.sorted.length && inOrder <= limit; at += 1) {
      const block = this.sorted.at(isBackwards ? -1 - at : at)!;
      if (isNext(idAt(block, isBackwards ? 0 : block.starts.length - 1))) findIn(block);
    }
    if (read > MOST) return undefined;
    const ids = [...found].sort();
    return { ids: (isBackwards ? ids.reverse() : ids).slice(0, limit), isAll: ids.length <= limit };
  }
}

function blockOf(rows: readonly Row[]): Block {
  // No text that is searched for has a line feed, so no match crosses from one row into the next.
  const texts = rows.map(([, text]) => Buffer.from(`${text}\n`));
  const starts = new Uint32Array(rows.length);
  for (let row = 1; row < rows.length; row += 1) starts[row] = starts[row - 1]! + texts[row - 1]!.length;
  const text = Buffer.concat(texts);
  const parts = new Uint8Array(PARTS / 8);
  for (const part of partsOf(text)) parts[part >> 3]! |= 1 << (part & 7);
  return { ids: Buffer.from(rows.map(([id]) => id).join(''), 'hex'), text, starts, parts };
}

const bytesOf = ({ ids, text, starts, parts }: Block): number =>
  ids.byteLength + text.byteLength + starts.byteLength + parts.byteLength;

/** The numbers of all parts of a text. */
function partsOf(text: Buffer): Uint16Array {
  const parts = new Uint16Array(Math.max(0, text.length - 2));
  for (let at = 0; at < parts.length; at += 1) {
    const part = (text[at]! << 16) | (text[at + 1]! << 8) | text[at + 2]!;
    parts[at] = (Math.imul(part, 0x9e3779b1) >>> 16) % PARTS;
  }
  return parts;
}

/** Most blocks lack a part of the text, so they need not be read. A part that one lacks is looked for first in the next. */
function hasParts(block: Block, parts: Uint16Array): boolean {
  const lacks = parts.findIndex((part) => !(block.parts[part >> 3]! & (1 << (part & 7))));
  if (lacks > 0) [parts[0], parts[lacks]] = [parts[lacks]!, parts[0]!];
  return lacks === -1;
}

/** The ids of the rows that contain a text. */
function idsIn(block: Block, sought: Buffer): string[] {
  const { text, starts } = block;
  const found: string[] = [];
  for (let row = 0; row < starts.length; row += 1) {
    const at = text.indexOf(sought, starts[row]);
    if (at === -1) break;
    while (row + 1 < starts.length && starts[row + 1]! <= at) row += 1;
    found.push(idAt(block, row));
  }
  return found;
}

function idAt({ ids }: Block, row: number): string {
  return ids.toString('hex', row * ID_BYTES, (row + 1) * ID_BYTES);
}
