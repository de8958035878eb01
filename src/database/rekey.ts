import type { Model, Types } from 'mongoose';

interface Revised {
  _id: Types.ObjectId;
  revision: number;
}

/**
 * Gives a record other values of unique fields, by putting it back under them. To be run inside the transaction that
 * goes on to change the record.
 *
 * The reason is the embedded database: SecantusDB 0.6 keeps in a unique index the value that a record was inserted with,
 * so that a name that was given up could never be taken again; after a deletion it does not (ADR 11). MongoDB takes
 * either way.
 *
 * @param judged the record's id and the revision that was judged
 * @param keys the unique fields and their new values
 * @returns false when there is no such record at that revision (any more)
 * @throws the database's error, code 11000, when another record has one of the values
 */
export async function rekey<R extends Revised>(model: Model<R>, judged: Revised, keys: Partial<R>): Promise<boolean> {
  const records = model as unknown as Model<Revised>;
  const record = await records.findOne({ _id: judged._id, revision: judged.revision }).lean();
  if (!record) return false;
  await records.deleteOne({ _id: judged._id });
  await records.create([{ ...record, ...keys }]);
  return true;
}
