import type { Connection, Types, UpdateQuery } from 'mongoose';

/** A record as it is stored, which may be broken in any way. */
export interface Stored extends Readonly<Record<string, unknown>> {
  readonly _id: Types.ObjectId;
}

/** An invariant that a record breaks. */
export interface Finding {
  readonly record: Stored;
  /** Completes "Organization 65f5…: ". */
  readonly problem: string;
  /** The repair, if `--repair` can do it. It never deletes a record. */
  readonly repair?: { readonly what: string; readonly update: UpdateQuery<object> };
}

/** Finds the invariants that records of one Model break: a batch, or a single record to look at again. */
export type Check = (records: readonly Stored[], connection: Connection) => Promise<Finding[]> | Finding[];

/** Makes the repair of fields that responses show. */
export function visibleRepair(what: string, update: UpdateQuery<object>): Finding['repair'] {
  const $set = { ...(update.$set as object | undefined), updatedAt: new Date() };
  return { what, update: { ...update, $set, $inc: { revision: 1 } } };
}

/** The values at a path of a record, with those in lists: `managers._id`. */
export function valuesAt(record: Stored, path: string): unknown[] {
  return path
    .split('.')
    .reduce<unknown[]>((values, name) => values.flatMap((value) => memberOf(value, name)), [record]);
}

function memberOf(value: unknown, name: string): unknown[] {
  const member = (value as Record<string, unknown> | null | undefined)?.[name];
  return Array.isArray(member) ? (member as unknown[]) : [member];
}
