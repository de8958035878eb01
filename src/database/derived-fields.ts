import { type SchemaType, Types } from 'mongoose';
import type { AnySchema, SchemaOf } from './any-model';
import type { ErrorName } from '../errors/api-error';
import { caseFold, uniqueKey } from '../validation/case-fold';
import { givenFields } from '../validation/fields/field';
import { trim } from '../validation/text';

/** The options of a schema's field that Roster adds to mongoose's. */
declare module 'mongoose' {
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- an augmentation repeats the type parameters
  interface SchemaTypeOptions<T> {
    /** Makes `q` search this field (contract §2 `q`). */
    searched?: boolean;
    /**
     * The field that stores the `uniqueKey` of this one; it has the unique index (contract §1.9). A field that is its own
     * key is compared exactly, and may be null.
     */
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
 * The fields that are computed from others: `searchText` from those that the schema marks `searched`, and the unique keys
 * of those with a `keyField`.
 *
 * @param record all fields of the record as they are to be stored
 */
export function derivedFields(schema: AnySchema, record: object): DerivedFields {
  const values = searchedFields(schema).flatMap((path) => valueAt(record, path));
  return { ...uniqueKeys(schema, record), searchText: searchText(values.filter((value) => typeof value === 'string')) };
}

type DerivedFields = { searchText: string } & Record<string, unknown>;

/** Derived fields to recompute for this update. */
export function changedDerivedFields(schema: AnySchema, record: object, set: object): Partial<DerivedFields> {
  const searched = searchedFields(schema);
  const isSource = (name: string): boolean =>
    (schema.path(name)?.options as FieldOptions | undefined)?.keyField !== undefined ||
    searched.some((path) => path === name || path.startsWith(`${name}.`));
  return Object.keys(set).some(isSource) ? derivedFields(schema, { ...record, ...set }) : {};
}

/** The paths of the fields that `q` searches, those of nested objects included: `headquarters.city`. */
export function searchedFields(schema: AnySchema): string[] {
  return Object.entries<SchemaType>(schema.paths).flatMap(([name, type]) => {
    const nested = nestedSchemaOf(type);
    if (nested) return searchedFields(nested).map((path) => `${name}.${path}`);
    return (type.options as FieldOptions).searched ? name : [];
  });
}

/** The schema of a field that is an object; undefined for other fields, lists of records included. */
function nestedSchemaOf({ instance, schema }: SchemaType): AnySchema | undefined {
  return instance === 'Embedded' ? (schema as AnySchema) : undefined;
}

function valueAt(record: unknown, path: string): unknown {
  return path.split('.').reduce((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], record);
}

/** The field that stores the unique key of this one, and the key of a value. */
export function uniqueKeyOf(schema: AnySchema, name: string, value: string): { field: string; key: string } {
  const { keyField } = (schema.path(name)?.options ?? {}) as FieldOptions;
  if (!keyField) throw new Error(`${name} is not unique: add \`keyField\` to its schema.`);
  return { field: keyField, key: keyOf(name, keyField, value) };
}

/** The condition for records with this value in a field: of a unique one, for the record with the key of the value. */
export function conditionFor(schema: AnySchema, name: string, value: unknown): Record<string, unknown> {
  const { keyField } = (schema.path(name)?.options ?? {}) as FieldOptions;
  return keyField ? { [keyField]: keyOf(name, keyField, trim(value as string)) } : { [name]: value };
}

/** The unique keys of a record: of each field with a `keyField` that it has. */
export function uniqueKeys(schema: AnySchema, record: object): Record<string, string> {
  const keys: Record<string, string> = {};
  schema.eachPath((name, { options }) => {
    const { keyField } = options as FieldOptions;
    const value = (record as Record<string, unknown>)[name];
    if (keyField && typeof value === 'string') keys[keyField] = keyOf(name, keyField, value);
  });
  return keys;
}

/**
 * A new record as it is stored: with an id, its times, the defaults of the schema and what is derived. Nothing adds to it
 * when it is inserted. Fields that the schema does not have are left out.
 *
 * @param fields ids and dates may be text, as in a body
 */
export function newRecord<R extends { _id: Types.ObjectId }>(schema: SchemaOf<R>, fields: Fields<R>): R {
  const now = new Date();
  const own = { _id: new Types.ObjectId(), createdAt: now, updatedAt: now };
  const given = { ...own, ...fields, ...derivedFields(schema, fields) };
  return { _id: given._id, ...withDefaults(schema, given) } as R;
}

type Fields<R> = { readonly [Name in keyof R]?: unknown };

/** The fields that the schema has, as they are stored, in its order. */
function withDefaults(schema: AnySchema, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  schema.eachPath((name, type) => {
    const value = withDefault(type, given[name]);
    if (value !== undefined) record[name] = toStored(type, value);
  });
  return record;
}

/** The schema's default for a field that was left out or cleared, or that the record does not have yet. */
function withDefault({ options }: SchemaType, value: unknown): unknown {
  const { default: fallback } = options as { default?: unknown };
  if (fallback === undefined) return value;
  return value ?? (Array.isArray(fallback) ? [...(fallback as unknown[])] : fallback);
}

/**
 * A value of a body as the schema stores it: ids and dates come as text.
 *
 * @param current the stored value: what a nested object leaves out and keeps is taken from it
 */
function toStored(type: SchemaType, value: unknown, current?: unknown): unknown {
  const nested = nestedSchemaOf(type);
  if (nested && value) return withDefaults(nested, { ...(current as object | null), ...givenFields(value) });
  if (!Array.isArray(value)) return typeof value === 'string' ? type.cast(value) : value;
  const item = type.getEmbeddedSchemaType();
  return item ? value.map((one) => toStored(item, one)) : value;
}

/** Tells an update that changes one of a record's unique keys. */
export function changesUniqueKey(schema: AnySchema, record: object, set: object): boolean {
  return Object.entries(set).some(([name, value]: [string, unknown]) => {
    const { keyField } = (schema.path(name)?.options ?? {}) as FieldOptions;
    if (!keyField) return false;
    const key = (one: unknown): unknown => (typeof one === 'string' ? keyOf(name, keyField, one) : one);
    return key(value) !== key((record as Record<string, unknown>)[name]);
  });
}

function keyOf(name: string, keyField: string, value: string): string {
  return keyField === name ? value : uniqueKey(value);
}

/**
 * The fields of a body that the schema stores and that differ from the record, as they are stored. A field that was left
 * out and keeps its value is undefined in the body.
 */
export function changedFields<R extends object>(schema: AnySchema, record: R, body: object): Partial<R> {
  const changed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    const type = schema.path(name);
    if (!type || value === undefined) continue;
    const current = withDefault(type, (record as Record<string, unknown>)[name]);
    const stored = toStored(type, withDefault(type, value), current);
    if (toJson(stored) !== toJson(toStored(type, current))) changed[name] = stored;
  }
  return changed as Partial<R>;
}

/** The fields that queries return: without those that the schema marks as internal. */
export function shownFields(schema: AnySchema, fields: object): object {
  const isShown = ([name]: [string, unknown]): boolean => schema.path(name)?.options.select !== false;
  return Object.fromEntries(Object.entries(fields).filter(isShown));
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
