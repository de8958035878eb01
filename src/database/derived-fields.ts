import { Types } from 'mongoose';
import type { AnySchema } from './any-model';
import type { ErrorName } from '../errors/api-error';
import { caseFold, uniqueKey } from '../validation/case-fold';
import { gramsOf } from './search-grams';

/** The options of a schema's field that Roster adds to mongoose's. */
declare module 'mongoose' {
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- an augmentation repeats the type parameters
  interface SchemaTypeOptions<T> {
    /** Whether `q` searches this field (contract §2 `q`). */
    searched?: boolean;
    /** The field that stores the `uniqueKey` of this one; it has the unique index (contract §1.9). */
    keyField?: string;
    /** The error for a record whose key another one has. */
    taken?: ErrorName;
  }
}

interface FieldOptions {
  readonly searched?: boolean;
  readonly keyField?: string;
}

/**
 * The fields that are computed from others: `searchText` and its grams from those that the schema marks `searched`, and
 * the unique keys of those with a `keyField`.
 *
 * @param record all fields of the record as they are to be stored
 */
export function derivedFields(schema: AnySchema, record: object): DerivedFields {
  const values = searchedFields(schema).map((name) => (record as Record<string, unknown>)[name]);
  const text = searchText(values.filter((value) => typeof value === 'string'));
  return { ...uniqueKeys(schema, record), searchText: text, searchGrams: gramsOf(text) };
}

type DerivedFields = { searchText: string; searchGrams: string[] } & Record<string, unknown>;

/** What an update with these fields changes of what is derived; nothing when it changes no field that it comes from. */
export function changedDerivedFields(schema: AnySchema, record: object, set: object): Partial<DerivedFields> {
  const isSource = (name: string): boolean => {
    const { searched, keyField } = (schema.path(name)?.options ?? {}) as FieldOptions;
    return searched === true || keyField !== undefined;
  };
  return Object.keys(set).some(isSource) ? derivedFields(schema, { ...record, ...set }) : {};
}

/** The names of the fields that `q` searches. */
export function searchedFields(schema: AnySchema): string[] {
  return Object.keys(schema.paths).filter((name) => (schema.path(name)?.options as FieldOptions).searched);
}

function uniqueKeys(schema: AnySchema, record: object): Record<string, string> {
  const keys: Record<string, string> = {};
  schema.eachPath((name, { options }) => {
    const { keyField } = options as FieldOptions;
    const value = (record as Record<string, unknown>)[name];
    if (keyField && typeof value === 'string') keys[keyField] = uniqueKey(value);
  });
  return keys;
}

/**
 * A new record with these fields, and what every record has and what is derived. A field that was left out and may be
 * empty is null.
 */
export function newRecord<T extends object>(schema: AnySchema, fields: T): Required<T> & NewRecord {
  const now = new Date();
  const own = { _id: new Types.ObjectId(), revision: 0, createdAt: now, updatedAt: now };
  const names = Object.keys(schema.paths).filter((name) => schema.path(name)?.options.default === null);
  const empty = Object.fromEntries(names.map((name) => [name, null]));
  return { ...own, ...empty, ...(fields as Required<T>), ...derivedFields(schema, fields) };
}

interface NewRecord extends Record<string, unknown> {
  _id: Types.ObjectId;
  revision: number;
  createdAt: Date;
  updatedAt: Date;
}

/** Whether an update with these fields changes one of a record's unique keys. */
export function changesUniqueKey(schema: AnySchema, record: object, set: object): boolean {
  const keysOf = (fields: object): string => JSON.stringify(uniqueKeys(schema, fields));
  return keysOf(record) !== keysOf({ ...record, ...set });
}

/**
 * What a PUT changes: the fields of its body that the schema stores and that differ from the record. A field that was left
 * out and keeps its value is undefined in the body.
 */
export function changedFields<T extends object>(schema: AnySchema, record: object, body: T): Partial<T> {
  const stored = record as Record<string, unknown>;
  const changed = Object.entries(body).filter(
    ([name, value]) => schema.path(name) && value !== undefined && toJson(value) !== toJson(stored[name]),
  );
  return Object.fromEntries(changed) as Partial<T>;
}

/** The text that `q` is looked for in. A `q` contains no newline, so no match crosses from one field into the next. */
export function searchText(fields: readonly string[]): string {
  return fields.map(caseFold).join('\n');
}

/** The filter for records of which a searched field contains `q` without regard to case. */
export function searchFilter(q: string): { searchText: { $regex: string } } {
  return { searchText: { $regex: escapeForPattern(caseFold(q)) } };
}

/** `RegExp.escape` came with Node 24 and writes `\x` escapes, which databases read differently. */
function escapeForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** ids and dates are compared as responses show them; a missing value counts as null. */
function toJson(value: unknown): string {
  return JSON.stringify(value ?? null);
}
