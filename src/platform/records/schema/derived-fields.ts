import { type SchemaType, Types } from 'mongoose';
import { lastMomentOf } from '../../base/text/date';
import { searchKey } from '../../base/text/case-fold';
import type { AnySchema, SchemaOf } from '../driver/any-model';
import { optionsOf } from './field-options';
import { memoized } from '../../base/memoized';
import { uniqueKeys } from './unique-keys';
import { valuesAt } from './values-at';

/**
 * The fields that are computed from others: `searchText` from those that the schema marks `searched`, the unique keys of
 * those with a `keyField`, and the times of dates with a `timeField`.
 * @param record all fields of the record: as they are, or as a new one is to be stored
 * @param set what an update sets: only what depends on it is computed
 */
export function derivedFields(schema: AnySchema, record: object, set?: object): Record<string, string | Date> {
  const keys = { ...uniqueKeys(schema, set ?? record), ...timesOf(schema, set ?? record) };
  const isSearched = !set || searchedFields(schema).some((name) => name in set);
  if (!schema.path('searchText') || !isSearched) return keys;
  const stored = { ...record, ...set };
  const isPrivate = (path: string): boolean => privateFields(schema).includes(path);
  const paths = [...searchedFields(schema).filter((path) => !isPrivate(path)), ...privateFields(schema)];
  const values = paths.flatMap((path) => valuesAt(stored, path));
  return { ...keys, searchText: searchText(values.filter((value) => typeof value === 'string')) };
}

/** The last moment that there is: a record without a date comes last in a list that is sorted by it. */
export const NEVER = new Date(8.64e15);

/** The times of those dates that these fields have. */
function timesOf(schema: AnySchema, fields: object): Record<string, Date> {
  const dates = datesWithTime(schema).filter(({ name }) => name in fields);
  return Object.fromEntries(
    dates.map(({ name, timeField }) => {
      const date = (fields as Record<string, unknown>)[name];
      return [timeField, typeof date === 'string' ? new Date(lastMomentOf(date)) : NEVER];
    }),
  );
}

const datesWithTime = memoized((schema: AnySchema) =>
  Object.entries<SchemaType>(schema.paths).flatMap(([name, type]) => {
    const { timeField } = optionsOf(type);
    return timeField === undefined ? [] : [{ name, timeField }];
  }),
);

/** The fields that `q` searches. */
export const searchedFields = memoized((schema: AnySchema): readonly string[] =>
  Object.keys(schema.paths).filter((name) => optionsOf(schema.path(name)).searched),
);

/** The searched fields that not every caller sees; in `searchText` they are the last lines, one each. */
const privateFields = memoized((schema: AnySchema): readonly string[] =>
  searchedFields(schema).filter((path) => optionsOf(schema.path(path)).searched === 'private'),
);

/** A `searchText` without its private fields. */
export function withoutPrivateFields(schema: AnySchema, text: string): string {
  const { length } = privateFields(schema);
  return length === 0 ? text : text.split('\n').slice(0, -length).join('\n');
}

/**
 * A new record in its stored form: with an id, its times, the defaults of the schema and what is derived. Nothing adds to
 * it when it is inserted. Fields that the schema does not have are left out.
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
function withDefault(type: SchemaType, value: unknown): unknown {
  const { default: fallback } = optionsOf(type);
  if (fallback === undefined) return value;
  return value ?? (Array.isArray(fallback) ? [...(fallback as unknown[])] : fallback);
}

/** A value of a body as the schema stores it: ids and dates come as text. */
function toStored(type: SchemaType, value: unknown): unknown {
  if (!Array.isArray(value)) return typeof value === 'string' ? type.cast(value) : value;
  const item = type.getEmbeddedSchemaType();
  return item ? value.map((one) => toStored(item, one)) : value;
}

/**
 * The fields of a body that the schema stores and that differ from the record, as they are stored.
 */
export function changedFields<R extends object>(schema: AnySchema, record: R, body: object): Partial<R> {
  const changed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    const type = schema.path(name);
    if (!type || value === undefined) continue;
    const current = withDefault(type, (record as Record<string, unknown>)[name]);
    const stored = toStored(type, withDefault(type, value));
    if (!isSame(stored, toStored(type, current))) changed[name] = stored;
  }
  return changed as Partial<R>;
}

/** The text that `q` is looked for in. A `searchKey` contains no newline, so no match crosses from one field into the next. */
export function searchText(fields: readonly string[]): string {
  return fields.map(searchKey).join('\n');
}

/**
 * The filter for records of which a searched field contains `q` (contract §2 `q`).
 * @param own the record in which private fields are searched; without it they are in all
 */
export function searchFilter(schema: AnySchema, q: string, own?: Types.ObjectId): object {
  const key = searchKey(q);
  if (key.trim() === '') return { searchText: { $in: [] } };
  const anywhere = escapeForPattern(key);
  const isFound = { searchText: { $regex: anywhere } };
  if (!own) return isFound;
  // Not in the last lines, which are the private fields.
  const inOthers = `${anywhere}(?:[^\\n]*\\n){${privateFields(schema).length}}`;
  return { $or: [{ searchText: { $regex: inOthers } }, { _id: own, ...isFound }] };
}

/** Whether one of these fields contains `q` (contract §2 `q`). */
export function isFoundBy(q: string, fields: readonly string[]): boolean {
  const key = searchKey(q);
  return key.trim() !== '' && searchText(fields).includes(key);
}

/** `RegExp.escape` came with Node 24 and writes `\x` escapes, which databases read differently. */
function escapeForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** Compares values as responses show them: ids and dates by their texts, a missing value as null. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}
