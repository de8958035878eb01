import { type PipelineStage, Types } from 'mongoose';
import type { AnyModel } from '../driver/any-model';
import type { PageRead } from '../driver/quirks';
import { allConditions, findPage, pageOptions } from '../reads/find-page';
import { SharedReads } from '../reads/shared-reads';

/** One of so many ids is known. */
const STEP = 50;

/** The shortest time from one read of new ids to the next (ms). */
const PAUSE_MS = 10_000;

/**
 * Reads a page. `limit` stops no read, but an index serves a range of ids, also of records with the same value of a field.
 * A page of such records is read in longer and longer ranges until it is full.
 */
export async function readPage<R>(page: PageRead, known: Map<AnyModel, KnownIds>): Promise<R[]> {
  const { model, conditions, range, skip, limit, by, order } = page;
  // An index with several fields serves conditions only in one object.
  const filter = Object.assign({}, ...conditions) as object;
  if (by !== '_id' || !isServedInOrder(model, filter))
    return conditions.length > 1 ? readInStages<R>(page) : findPage<R>(page);
  const ids = known.get(model) ?? new KnownIds(model);
  known.set(model, ids);
  for (const count of [skip + limit + 1, 16 * (skip + limit + 1)]) {
    const end = await ids.after(count, order, Object.values(range)[0]);
    if (!end) break;
    const upTo = order === 1 ? { $lte: end } : { $gte: end };
    const records = await findPage<R>(page, { ...filter, _id: { ...range, ...upTo } });
    if (records.length > limit) return records;
  }
  return findPage<R>(page, Object.assign({}, ...allConditions(page)) as object);
}

/** Whether an index has what a filter matches in the order of the ids. */
function isServedInOrder({ schema }: AnyModel, filter: object): boolean {
  const names = Object.keys(filter);
  const areValues = Object.values(filter).every(
    (value) => typeof value !== 'object' || value instanceof Types.ObjectId,
  );
  const keys = [...names, '_id'].join();
  return names.length === 0 || (areValues && schema.indexes().some(([index]) => Object.keys(index).join() === keys));
}

/** An index serves a condition only in a stage of its own. */
function readInStages<R>(page: PageRead): Promise<R[]> {
  const { sort, skip, limit, projection, ...options } = pageOptions(page);
  const stages: PipelineStage[] = [
    ...allConditions(page).map(($match) => ({ $match })),
    { $sort: sort },
    { $skip: skip },
    { $limit: limit },
    ...(Object.keys(projection).length > 0 ? [{ $project: projection }] : []),
  ];
  return page.model.collection.aggregate(stages, options).toArray() as unknown as Promise<R[]>;
}

/** Some ids of a collection, in their order. They bound ranges; records that are added or deleted make no page wrong. */
export class KnownIds {
  private ids: readonly string[] = [];
  private readAt = 0;
  private readonly reads = new SharedReads();

  constructor(private readonly model: AnyModel) {}

  /** An id that at least so many records are before, from `start` on in an order; undefined if none is known. */
  async after(count: number, order: 1 | -1, start?: Types.ObjectId): Promise<Types.ObjectId | undefined> {
    // A page can be read without them.
    await this.reads.run('', () => this.readNew()).catch(() => undefined);
    const ids = order === 1 ? this.ids : this.ids.toReversed();
    const from = start?.toHexString();
    const next = ids.findIndex((id) => from === undefined || (order === 1 ? id > from : id < from));
    const end = next === -1 ? undefined : ids[next + Math.ceil(count / STEP)];
    return end === undefined ? undefined : new Types.ObjectId(end);
  }

  private async readNew(): Promise<void> {
    if (Date.now() < this.readAt + PAUSE_MS) return;
    this.readAt = Date.now();
    const last = this.ids.at(-1);
    const filter = last ? { _id: { $gt: new Types.ObjectId(last) } } : {};
    const added = await this.model.collection.find(filter, { projection: { _id: 1 } }).toArray();
    const ids = added.map(({ _id }) => _id.toHexString()).sort();
    this.ids = [...this.ids, ...ids.filter((_id, index) => index % STEP === STEP - 1)];
  }
}
