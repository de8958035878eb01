import { parentPort } from 'node:worker_threads';

/*
 * The thread that keeps the texts of all indexes (docs/adr/0027). It imports no other file, so that the tests can run it
 * without a build.
 */

/** Rows of a block. */
const ROWS = 256;

/** The numbers of parts: three bytes of a text. Others may have the same number. */
const PARTS = 2 ** 15;

const ID_BYTES = 12;

/** Ids as hexadecimal text, and the text of each. */
export type Rows = readonly (readonly [id: string, text: string])[];

/** The first ids after one, in their order or backwards, of rows that contain a text. */
export interface Search {
  readonly text: string;
  readonly order: 1 | -1;
  readonly after?: string;
  /** Is found whatever its text is. */
  readonly own?: string;
  readonly limit: number;
}

/** What a search finds. */
export interface Found {
  readonly ids: readonly string[];
  /** Whether no others contain the text. */
  readonly isAll: boolean;
}

/** What to do with an index. */
export type Work =
  | 'create'
  | 'drop'
  | { readonly add: Rows; /** Their ids follow those that were added so before. */ readonly isSorted: boolean }
  | { readonly find: Search };

/** Rows as they are kept. */
interface Block {
  readonly ids: Buffer;
  readonly text: Buffer;
  /** Where the text of each row begins. */
  readonly starts: Uint32Array;
  /** A bit per number of a part: whether the text has such a part. Most blocks need not be searched. */
  readonly parts: Uint8Array;
}

/**
 * Texts to search. Rows are only added: a record whose text has changed gets another one, and keeps the old. Those of the
 * build are in the order of their ids, so a search reads no more of them than it needs.
 */
export class TextIndex {
  private readonly sorted: Block[] = [];
  private readonly others: Block[] = [];
  private newest: Rows = [];
  /** The memory that it takes, without what is added at the end. */
  bytes = 0;

  /** @param isSorted whether the ids follow those that were added so before, in their order */
  add(rows: Rows, isSorted: boolean): void {
    const all = isSorted ? rows : [...this.newest, ...rows];
    const end = isSorted ? all.length : all.length - (all.length % ROWS);
    for (let at = 0; at < end; at += ROWS) {
      const block = blockOf(all.slice(at, Math.min(at + ROWS, end)));
      (isSorted ? this.sorted : this.others).push(block);
      const { ids, text, starts, parts } = block;
      for (const { byteLength } of [ids, text, starts, parts]) this.bytes += byteLength;
    }
    if (!isSorted) this.newest = all.slice(end);
  }

  find({ text, order, after, own, limit }: Search): Found {
    const sought = Buffer.from(text);
    const parts = partsOf(sought);
    const isNext = (id: string): boolean => after === undefined || (order === 1 ? id > after : id < after);
    const ids = [...(own === undefined ? [] : [own]), ...this.others.flatMap((block) => idsIn(block, sought, parts))];
    // A surrogate alone is stored as another character.
    for (const [id, stored] of this.newest) if (stored.includes(sought.toString())) ids.push(id);
    const found = new Set(ids.filter(isNext));
    let inOrder = 0;
    for (let number = 0; number < this.sorted.length && inOrder <= limit; number += 1) {
      const block = this.sorted.at(order === 1 ? number : -1 - number)!;
      if (!isNext(idAt(block, order === 1 ? block.starts.length - 1 : 0))) continue;
      for (const id of idsIn(block, sought, parts).filter(isNext)) {
        found.add(id);
        inOrder += 1;
      }
    }
    const all = [...found].sort();
    if (order === -1) all.reverse();
    return { ids: all.slice(0, limit), isAll: all.length <= limit };
  }
}

function blockOf(rows: Rows): Block {
  // A match does not cross from one row into the next: no text that is searched for has a line feed.
  const texts = rows.map(([, text]) => Buffer.from(`${text}\n`));
  const starts = new Uint32Array(rows.length);
  for (let row = 1; row < rows.length; row += 1) starts[row] = starts[row - 1]! + texts[row - 1]!.length;
  const text = Buffer.concat(texts);
  const parts = new Uint8Array(PARTS / 8);
  for (const part of partsOf(text)) parts[part >> 3]! |= 1 << (part & 7);
  return { ids: Buffer.from(rows.map(([id]) => id).join(''), 'hex'), text, starts, parts };
}

/** The numbers of all parts of a text. */
function partsOf(text: Buffer): Uint16Array {
  const parts = new Uint16Array(Math.max(0, text.length - 2));
  for (let at = 0; at < parts.length; at += 1) {
    const part = (text[at]! << 16) | (text[at + 1]! << 8) | text[at + 2]!;
    parts[at] = (Math.imul(part, 0x9e3779b1) >>> 16) % PARTS;
  }
  return parts;
}

/** The ids of the rows of a block that contain a text. */
function idsIn(block: Block, sought: Buffer, parts: Uint16Array): string[] {
  const { text, starts, parts: own } = block;
  if (!parts.every((part) => own[part >> 3]! & (1 << (part & 7)))) return [];
  const found: string[] = [];
  let row = 0;
  for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, starts[row])) {
    while (row + 1 < starts.length && starts[row + 1]! <= at) row += 1;
    found.push(idAt(block, row));
    row += 1;
    if (row === starts.length) break;
  }
  return found;
}

function idAt({ ids }: Block, row: number): string {
  return ids.toString('hex', row * ID_BYTES, (row + 1) * ID_BYTES);
}

const indexes = new Map<number, TextIndex>();

/** @returns for rows, the memory of all indexes; undefined where there is no such index */
function run(number: number, work: Work): number | Found | undefined {
  if (work === 'create') indexes.set(number, new TextIndex());
  if (work === 'drop') indexes.delete(number);
  const index = indexes.get(number);
  if (!index || typeof work === 'string') return undefined;
  if ('find' in work) return index.find(work.find);
  index.add(work.add, work.isSorted);
  return [...indexes.values()].reduce((sum, { bytes }) => sum + bytes, 0);
}

parentPort?.on('message', ({ call, index, work }: { call: number; index: number; work: Work }) =>
  parentPort?.postMessage({ call, result: run(index, work) }),
);
