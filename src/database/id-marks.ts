import { Types } from 'mongoose';
import type { AnyModel } from './any-model';
import { MAX_READ_MS } from './connection-options';
import { isSecantus } from './server';

/** How many records lie between two marks. */
const STEP = 50;

/** How many ids one read returns. */
const CHUNK = 20_000;

/** How long to wait at least before another look for new marks (ms). */
const PAUSE_MS = 10_000;

const known = new WeakMap<AnyModel, Promise<IdMarks | undefined>>();

/** The marks of a collection; none on MongoDB, which stops reading when a page is full. */
export function idMarksOf(model: AnyModel): Promise<IdMarks | undefined> {
  let marks = known.get(model);
  if (!marks) {
    marks = isSecantus(model.db).then((is) => (is ? new IdMarks(model) : undefined));
    known.set(model, marks);
    marks.catch(() => known.delete(model));
  }
  return marks;
}

/**
 * Every fiftieth id of a collection, for SecantusDB: `limit` does not stop its reads, but it uses an index between two
 * ids. With 100,000 records a page of all took 770 ms, and now takes 2. A mark only says how far to read: that records
 * were added or deleted since then never makes a page wrong.
 */
export class IdMarks {
  private marks: string[] = [];
  private lookedAt = 0;

  constructor(private readonly model: AnyModel) {}

  /** An id that some more than `count` records lie before, counted from `after`; undefined when no such mark is known. */
  endOf(after: string | undefined, count: number): Types.ObjectId | undefined {
    const next = after === undefined ? 0 : this.marks.findIndex((mark) => mark > after);
    const end = next === -1 ? undefined : this.marks[next + Math.ceil(count / STEP)];
    if (end === undefined) this.look();
    return end === undefined ? undefined : new Types.ObjectId(end);
  }

  /** To be called when fewer records lay before a mark than expected, because many were deleted. */
  forget(): void {
    this.marks = [];
    this.look();
  }

  /** Reads the ids after the last mark, in the background. If that fails, pages are read without marks. */
  private look(): void {
    if (Date.now() < this.lookedAt + PAUSE_MS) return;
    this.lookedAt = Date.now();
    const last = this.marks.at(-1);
    const found = last === undefined ? this.readAll() : this.read({ _id: { $gt: new Types.ObjectId(last) } });
    const add = (ids: string[]): void => {
      this.marks = [...this.marks, ...ids.sort().filter((_id, index) => index % STEP === STEP - 1)];
    };
    void found.then(add, () => undefined);
  }

  /** In chunks, each within the time limit, in the order in which SecantusDB keeps the records. */
  private async readAll(): Promise<string[]> {
    const all: string[] = [];
    for (;;) {
      const chunk = await this.read({}, { hint: { _id: 1 }, skip: all.length, limit: CHUNK });
      all.push(...chunk);
      if (chunk.length < CHUNK) return all;
    }
  }

  private async read(filter: object, options?: object): Promise<string[]> {
    const all = { projection: { _id: 1 }, maxTimeMS: MAX_READ_MS, ...options };
    return (await this.model.collection.find(filter, all).toArray()).map(({ _id }) => String(_id));
  }
}
