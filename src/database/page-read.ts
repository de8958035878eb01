import type { mongo, Types } from 'mongoose';
import type { AnyModel } from './any-model';
import { MAX_READ_MS } from './connection-options';
import { projectionOf } from './projections';
import { readOptions } from './read-concern';

export interface PageRead {
  readonly model: AnyModel;
  /** Conditions that few records meet and an index serves: an id, a range of ids, a unique key. */
  readonly lookups: readonly object[];
  /** The other conditions. */
  readonly filters: readonly object[];
  readonly after: Types.ObjectId | undefined;
  readonly skip: number;
  readonly limit: number;
  /** By `_id`: 1 from the first on, -1 from the last on. */
  readonly order: 1 | -1;
}

/** The options of the read of a page: one record more than its limit shows whether others follow. */
export function pageOptions({ model, skip, limit, order }: PageRead) {
  const projection = projectionOf(model.schema);
  const bounds = { sort: { _id: order } as const, skip, limit: limit + 1, maxTimeMS: MAX_READ_MS };
  return { projection, ...bounds, ...readOptions(model.db) };
}

/**
 * Reads the records of a page that a filter matches, by one command: a driver's cursor takes more CPU time, and a second
 * command that closes it. A page is far smaller than a reply of MongoDB may be (16 MB).
 */
export async function findPage<R>(read: PageRead, filter: object): Promise<R[]> {
  const options = pageOptions(read);
  const command = { find: read.model.collection.name, filter, ...options, batchSize: options.limit, singleBatch: true };
  const { cursor } = (await read.model.db.db!.command(command)) as { cursor: { firstBatch: R[] } };
  return cursor.firstBatch;
}

/** The ids that come after a record in the order of a page. */
export function idsAfter({ after, order }: PageRead): mongo.Condition<Types.ObjectId> | undefined {
  return after && (order === 1 ? { $gt: after } : { $lt: after });
}
