import type { Model, Types } from 'mongoose';

/** A record that others refer to. */
interface Linked {
  _id: Types.ObjectId;
  referenceCount: number;
}

/**
 * Makes a reference to a record safe (ADR 2): whoever adds a reference writes the referenced record in the same
 * transaction, in a way that always changes it. So its deletion, which is a transaction too, and this one cannot both
 * come through: one meets a write conflict. A snapshot alone would let them pass each other (write skew).
 *
 * @param filter finds the record, with what must hold of it
 * @returns false when there is no such record (any more)
 */
export async function addReference<R extends Linked>(
  model: Model<R>,
  filter: { _id: Types.ObjectId } & Partial<R>,
): Promise<boolean> {
  const records = model as unknown as Model<Linked>;
  const linked = await records.updateOne(filter as Partial<Linked>, { $inc: { referenceCount: 1 } });
  return linked.matchedCount === 1;
}
