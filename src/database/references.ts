import type { Model, Types } from 'mongoose';
import { updateOne } from './driver-writes';

/** A record that others refer to. */
interface Referenced {
  _id: Types.ObjectId;
  referenceCount: number;
}

/**
 * Makes a new reference to a record safe (docs/adr/0002): the transaction that adds it also writes the referenced
 * record, in a way that always changes it. So this transaction and one that deletes the record cannot both commit: one of
 * them gets a write conflict. With snapshots alone both would commit (write skew).
 *
 * @param filter finds the record, and has the conditions that it must meet
 * @returns false when there is no such record
 */
export function addReference<R extends Referenced>(
  model: Model<R>,
  filter: { _id: Types.ObjectId } & Partial<R>,
): Promise<boolean> {
  return updateOne(model, filter, { $inc: { referenceCount: 1 } });
}
