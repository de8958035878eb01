import { Types } from 'mongoose';
import { type FieldError, fieldError, invalidContent } from '../../base/errors/field-error';
import type { AnyModel } from '../driver/any-model';
import { assertBelow } from '../schema/field-options';
import type { Filter } from '../schema/record.schema';
import { valuesAt } from '../schema/values-at';
import { currentTransaction } from '../transactions/context';
import { LostRace } from '../transactions/lost-race';
import { type Reference, referencesIn } from '../schema/references';
import type { RecordsByModel } from './records-by-model';

/**
 * Checks of the service for fields whose references have rules of their own, by field: each makes the reference safe,
 * and tells whether the record may be named. They are asked about null too.
 */
export type ReferenceChecks = Readonly<Record<string, (id: Types.ObjectId | string | null) => Promise<boolean>>>;

/** What a write adds to a record. */
interface Added {
  readonly model: AnyModel;
  readonly records: RecordsByModel;
  /** The record with what the write sets. */
  readonly record: { readonly _id: Types.ObjectId };
  /** The record before; none if it is new. */
  readonly before?: object | undefined;
}

/**
 * Makes references of a body safe, and enforces their limits.
 * @throws InvalidContentError the `namesNothing` of every field that names a record that does not exist or may not be named;
 *   ApiError tooMany
 */
export async function addNamed(added: Added, fields: object, checks: ReferenceChecks = {}): Promise<void> {
  const fieldErrors: FieldError[] = [];
  for (const [field, value] of Object.entries(fields)) {
    const check = checks[field];
    if (check && !(await check(value as Types.ObjectId | null))) fieldErrors.push(fieldError('namesNothing', field));
    for (const reference of referencesOf(added, field)) {
      const missing = check ? undefined : await addAll(added, reference, fields);
      // The update that stores them need not make them safe again.
      for (const { id } of namedIn(fields, reference)) currentTransaction()!.madeSafe.add(keyOf(added, reference, id));
      if (!missing) continue;
      fieldErrors.push(fieldError('namesNothing', missing.title, reference.mustBe && `is not ${reference.mustBe}`));
    }
  }
  if (fieldErrors.length > 0) throw invalidContent(...fieldErrors);
}

/**
 * Makes references safe that the service sets, and enforces their limits.
 * @throws LostRace when one of the records was deleted, which 401 or 404 will say; ApiError tooMany
 */
export async function addOwn(added: Added, fields: object): Promise<void> {
  for (const field of Object.keys(fields)) {
    for (const reference of referencesOf(added, field)) {
      const missing = await addAll(added, reference, fields);
      if (missing) throw new LostRace(undefined, missing.id);
    }
  }
}

function referencesOf({ model }: Added, field: string): Reference[] {
  return referencesIn(model).filter(
    ({ path, onDelete, limit }) => (onDelete !== 'keep' || limit) && path.split('.', 1)[0] === field,
  );
}

/** @returns the first record that does not exist or may not be named */
async function addAll(added: Added, reference: Reference, fields: object): Promise<Named | undefined> {
  const known = new Set(added.before ? valuesAt(added.before, reference.path).map(String) : []);
  const { madeSafe } = currentTransaction()!;
  for (const named of namedIn(fields, reference)) {
    if (
      !known.has(named.id) &&
      !madeSafe.has(keyOf(added, reference, named.id)) &&
      !(await add(added, reference, named.id))
    )
      return named;
  }
  return undefined;
}

/**
 * Writes the record that a new reference is to: this transaction and one that deletes it cannot both commit, because
 * both write it (docs/adr/0002). A record of the path must still be as it was when the caller was authorized.
 * @returns whether there is such a record
 */
async function add({ records, record }: Added, reference: Reference, _id: string): Promise<boolean> {
  const { from, path, to, limit } = reference;
  if (isOwnId(reference, record, _id)) return false;
  const referred = records.of(to);
  const { write, hasBegun } = currentTransaction()!;
  if (write.losses === 0) await write.turn.takeFirst(_id, hasBegun);
  const revision = write.revisionOf(_id);
  const filter = { _id, ...(revision !== undefined && { revision }), ...allowed(reference, record) };
  const change = { $inc: { referenceCount: 1 } };
  if (!limit) return referred.updateInternal(filter, change);
  // `referenceCount` counts all references ever made, so below the limit nothing needs to be counted.
  if (await referred.updateInternal({ ...filter, referenceCount: { $lt: limit.max } }, change)) return true;
  if (!(await referred.updateInternal(filter, change))) return false;
  assertBelow(limit, await records.of(from).count({ [path]: _id }, limit.max));
  return true;
}

/** Recognizes a record that names itself. */
export function isOwnId({ from, to }: Reference, { _id }: { readonly _id: unknown }, id: string): boolean {
  return from === to && String(_id) === id;
}

/** The conditions that a record must meet to be named. */
export function allowed({ among }: Reference, record: object): Filter {
  const values = Object.entries(among).map(([name, value]) => [
    name,
    typeof value === 'string' && value.startsWith('$') ? valuesAt(record, value.slice(1))[0] : value,
  ]);
  return Object.fromEntries(values) as Filter;
}

function keyOf({ record }: Added, { from, path }: Reference, id: string): string {
  return `${from} ${String(record._id)} ${path} ${id}`;
}

interface Named {
  /** `featuredApiIds.1` */
  readonly title: string;
  readonly id: string;
}

/** The ids that fields have at a reference. */
function namedIn(fields: object, { path, list }: Reference): Named[] {
  const rest = list === undefined ? path : path.slice(list.length + 1);
  const items = list === undefined ? [fields] : valuesAt(fields, list);
  return items.flatMap((item, index) => {
    const [id] = (rest === '' ? [item] : valuesAt(item as object, rest)) as [
      Types.ObjectId | string | null | undefined,
    ];
    const title = [...(list === undefined ? [] : [list, index]), ...(rest === '' ? [] : [rest])].join('.');
    return id === null || id === undefined ? [] : { title, id: String(id) };
  });
}
