import { type Connection, Types, type UpdateQuery } from 'mongoose';

/** A record as it is stored, which may be broken in any way. */
export interface Stored extends Readonly<Record<string, unknown>> {
  readonly _id: Types.ObjectId;
}

/** An invariant that a record breaks. */
export interface Problem {
  /** Completes "Organization 65f5…: ". */
  readonly problem: string;
  /** Set for what breaks no invariant: it is shown, and not counted. */
  readonly isNote?: true;
  /** The repair, if `--repair` can do it. It never deletes a record. */
  readonly repair?: { readonly what: string; readonly update: UpdateQuery<object> };
}

/** Finds the invariants that a record breaks. */
type Find = (record: Stored) => readonly Problem[];

/** Reads what is needed to check records of one Model: a batch, or a single record to look at again. */
export type Check = (records: readonly Stored[], connection: Connection) => Find | Promise<Find>;

/** A problem that needs a decision of the operator. */
export const broken = (problem: string): Problem => ({ problem });

/** A repair that responses show, so it raises `revision` and `updatedAt`. */
export function visibleRepair(what: string, update: UpdateQuery<object>): Problem['repair'] {
  // Never earlier than before: the clock of an instance may be ahead.
  return { what, update: { ...update, $max: { updatedAt: new Date() }, $inc: { revision: 1 } } };
}

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
