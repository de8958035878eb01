import { uniqueKey } from '../../base/text/case-fold';
import type { AnySchema } from '../driver/any-model';
import { optionsOf } from './field-options';
import { memoized } from '../../base/memoized';

/** The unique key of a field's value, and the field that stores it; undefined for a field that is not unique. */
export function uniqueKeyOf(
  schema: AnySchema,
  name: string,
  value: unknown,
): { field: string; key: string } | undefined {
  const { keyField, makeKey = uniqueKey } = optionsOf(schema.path(name));
  if (!keyField || typeof value !== 'string') return undefined;
  return { field: keyField, key: keyField === name ? value : makeKey(value) };
}

/** The fields with a key or with a conflict. */
export const uniqueFields = memoized((schema: AnySchema) =>
  Object.keys(schema.paths).filter((name) => {
    const { keyField, taken } = optionsOf(schema.path(name));
    return keyField !== undefined || taken !== undefined;
  }),
);

/** The unique keys of a record's fields, by the fields that store them. */
export function uniqueKeys(schema: AnySchema, record: object): Record<string, string> {
  const values = record as Readonly<Record<string, unknown>>;
  const keys = uniqueFields(schema).map((name) => uniqueKeyOf(schema, name, values[name]));
  return Object.fromEntries(keys.flatMap((unique) => (unique ? [[unique.field, unique.key]] : [])));
}

/** Recognizes an update that sets a unique field, also to null. */
export function setsUniqueField(schema: AnySchema, set: object): boolean {
  return uniqueFields(schema).some((name) => name in set);
}

/** The unique indexes with the conflicts of their fields, in the order of these. Records without `keyField` have none. */
export const uniqueIndexes = memoized((schema: AnySchema) =>
  uniqueFields(schema).flatMap((name) => {
    const { keyField = name, taken } = optionsOf(schema.path(name));
    const keys = uniqueIndexesOf(schema).find((names) => names.includes(keyField));
    return keys && taken ? [{ keyField, keys, taken }] : [];
  }),
);

/** The fields of each unique index. */
export function uniqueIndexesOf(schema: AnySchema): string[][] {
  const unique = schema.indexes().filter(([, options]) => (options as { unique?: boolean }).unique);
  return unique.map(([keys]) => Object.keys(keys as object));
}

/** Whether an index has each field of a condition. */
export function isIndexed(schema: AnySchema, condition: object): boolean {
  return Object.entries(condition).every(([name, value]) =>
    name.startsWith('$') ? (value as object[]).every((one) => isIndexed(schema, one)) : indexedFields(schema).has(name),
  );
}

const indexedFields = memoized((schema: AnySchema) => {
  const names = schema.indexes().flatMap(([keys]) => Object.keys(keys as object));
  return new Set(['_id', ...names]);
});
