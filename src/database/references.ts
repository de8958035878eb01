import type { Model, Types } from 'mongoose';

/** A record that others refer to. */
interface Referenced {
  _id: Types.ObjectId;
  referenceCount: number;
}

/**
 * Makes a new reference to a record safe (docs/adr/0002): whoever adds a reference also writes the referenced record in
 * the same transaction, in a way that always changes it. So its deletion, which is a transaction too, and this one cannot
 * both commit: one of them meets a write conflict. With snapshots alone both would (write skew).
 *
 * @param filter finds the record, with what must be true of it
 * @returns false when there is no such record
 */
export async function addReference<R extends Referenced>(
  model: Model<R>,
  filter: { _id: Types.ObjectId } & Partial<R>,
): Promise<boolean> {
  const records = model as unknown as Model<Referenced>;
  const updated = await records.updateOne(filter as Partial<Referenced>, { $inc: { referenceCount: 1 } });
  return updated.matchedCount === 1;
}
