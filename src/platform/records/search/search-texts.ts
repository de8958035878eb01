/** The text of a block (bytes). */
const BLOCK = 8192;

/** How many numbers the parts of texts have: three bytes each. Different parts may have the same number. */
const PARTS = 2 ** 14;

/** The most text that a search looks through (bytes), which takes the event loop about 5 ms. */
const MOST = 8 * 1024 * 1024;

const ID_BYTES = 12;

/** An id as hexadecimal text, and the text of its record. */
export type Row = readonly [id: string, text: string];

/** The most records found among those that have changed since the build: they are in no order, so all are collected. */
const MOST_OTHERS = 3000;

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

/** Rows: their ids, their text, and where each begins. */
type Block = Readonly<Record<'ids' | 'text', Buffer> & { starts: Uint32Array }>;

/** Blocks, of which a search reads only those with all parts of its text. */
class Blocks {
  readonly all: Block[] = [];
  bytes = 0;
  /** Per 256 blocks: 32 bytes for each number of a part, a bit for each block. */
  private readonly parts: Uint8Array[] = [];

  /** @param index of a block that has these rows and others; the next one otherwise */
  set(index: number, block: Block): void {
    const before = this.all[index];
    this.all[index] = block;
    this.bytes += bytesOf(block) - (before ? bytesOf(before) : 0);
    if (index >> 8 === this.parts.length)
      this.bytes += this.parts[this.parts.push(new Uint8Array(PARTS * 32)) - 1]!.length;
    const parts = this.parts[index >> 8]!;
    for (const part of partsOf(block.text)) parts[part * 32 + ((index & 255) >> 3)]! |= 1 << (index & 7);
  }

  *having(sought: Uint16Array, isBackwards: boolean): Generator<Block> {
    for (let at = 0, segment = -1, has = new Uint8Array(32); at < this.all.length; at += 1) {
      const index = isBackwards ? this.all.length - 1 - at : at;
      if (index >> 8 !== segment) {
        segment = index >> 8;
        has = new Uint8Array(32).fill(255);
        for (const part of sought)
          has.forEach((bits, byte) => (has[byte] = bits & this.parts[segment]![part * 32 + byte]!));
      }
      if (has[(index & 255) >> 3]! & (1 << (index & 7))) yield this.all[index]!;
    }
  }
}

/**
 * Texts in memory, to search. Rows are only added: a record whose text has changed gets another one, and keeps the old one. Of
 * those that are added in the order of their ids, a search reads no more than it needs.
 */
export class SearchTexts {
  private readonly sorted = new Blocks();
  private readonly others = new Blocks();
  /** The rows of the last block, which is made again until it is full. */
  private newest: readonly Row[] = [];

  /** The memory that it takes. */
  get bytes(): number {
    return this.sorted.bytes + this.others.bytes;
  }

  /** @param isSorted whether the ids follow all that were added so before */
  add(rows: readonly Row[], isSorted: boolean): void {
    const [blocks, all] = isSorted ? [this.sorted, rows] : [this.others, [...this.newest, ...rows]];
    let next = blocks.all.length - (!isSorted && this.newest.length > 0 ? 1 : 0);
    let block: Row[] = [];
    let length = 0;
    for (const [index, row] of all.entries()) {
      length += row[1].length + 1;
      block.push(row);
      if (length < BLOCK && index < all.length - 1) continue;
      blocks.set(next, blockOf(block));
      if (!isSorted) this.newest = length < BLOCK ? block : [];
      [block, length, next] = [[], 0, next + 1];
    }
  }

  /** @returns undefined when it would take too long */
  find({ text, isBackwards = false, after, own, limit }: Search): Found | undefined {
    const isNext = (id: string): boolean => after === undefined || (isBackwards ? id < after : id > after);
    const [sought, parts] = [Buffer.from(text), partsOf(Buffer.from(text))];
    const found = new Set(own !== undefined && isNext(own) ? [own] : []);
    let [read, inOrder] = [0, 0];
    const findIn = (block: Block): void => {
      if (read > MOST || inOrder > MOST_OTHERS) return;
      read += block.text.length;
      const ids = idsIn(block, sought).filter(isNext);
      for (const id of ids) found.add(id);
      inOrder += ids.length;
    };
    for (const block of this.others.having(parts, false)) findIn(block);
    if (inOrder > MOST_OTHERS) return undefined;
    inOrder = 0;
    for (const block of this.sorted.having(parts, isBackwards)) {
      if (isNext(idAt(block, isBackwards ? 0 : block.starts.length - 1))) findIn(block);
      if (inOrder > limit || read > MOST) break;
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
  return { ids: Buffer.from(rows.map(([id]) => id).join(''), 'hex'), text: Buffer.concat(texts), starts };
}

const bytesOf = ({ ids, text, starts }: Block): number => ids.byteLength + text.byteLength + starts.byteLength;

/** The numbers of all parts of a text. */
function partsOf(text: Buffer): Uint16Array {
  const parts = new Uint16Array(Math.max(0, text.length - 2));
  for (let at = 0; at < parts.length; at += 1) {
    const part = (text[at]! << 16) | (text[at + 1]! << 8) | text[at + 2]!;
    parts[at] = (Math.imul(part, 0x9e3779b1) >>> 16) % PARTS;
  }
  return parts;
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
