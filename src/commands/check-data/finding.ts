import { type Connection, Types } from 'mongoose';

/** A stored record, which may be broken in any way. */
export interface Stored extends Readonly<Record<string, unknown>> {
  readonly _id: Types.ObjectId;
}

/** The invariants that a record breaks; each completes "Organization 65f5…: ". */
type Find = (record: Stored) => readonly string[];

/** Reads what is needed to check records of one Model: a batch, or a single record to look at again. */
export type Check = (records: readonly Stored[], connection: Connection) => Find | Promise<Find>;

/** Reads some fields of the records that have these ids, by id. Skips values that are no ids. */
export async function byId(
  connection: Connection,
  model: string,
  ids: readonly unknown[],
  fields: object = { _id: 1 },
): Promise<Map<string, Stored>> {
  const $in = ids.filter((id) => id instanceof Types.ObjectId);
  if ($in.length === 0) return new Map();
  const found = await connection.model<object>(model).find({ _id: { $in } }, fields).lean<Stored[]>();
  return new Map(found.map((record) => [String(record._id), record]));
}
