import { Types } from 'mongoose';
import { apiError, ErrorName } from '../../base/errors/api-error';
import { uniqueKey } from '../../base/text/case-fold';
import type { AnyModel, AnySchema } from '../connection/any-model';
import { optionsOf } from '../field-options';
import { memoized } from '../connection/memoized';
import { currentTransaction } from '../transactions/context';

interface UniqueField {
  readonly keyField: string;
  /** The fields of its index. */
  readonly keys: readonly string[];
  readonly taken: ErrorName;
}

/** The unique key of a field's value, and the field that stores it; undefined for a field that is not unique. */
export function uniqueKeyOf(
  schema: AnySchema,
  name: string,
  value: unknown,
): { field: string; key: string } | undefined {
  const { keyField } = optionsOf(schema.path(name));
  if (!keyField || typeof value !== 'string') return undefined;
  return { field: keyField, key: keyField === name ? value : uniqueKey(value) };
}

const uniqueFields = memoized((schema: AnySchema) =>
  Object.keys(schema.paths).filter((name) => optionsOf(schema.path(name)).keyField !== undefined),
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

/** @throws ApiError the `taken` of the first field whose unique key another record has */
export async function assertUnique(model: AnyModel, record: object & { _id?: Types.ObjectId }): Promise<void> {
  const stored: Record<string, unknown> = { ...record, ...uniqueKeys(model.schema, record) };
  for (const { keyField, keys, taken } of uniqueFieldsOf(model)) {
    const sameKeys = Object.fromEntries(keys.map((name) => [name, stored[name]]));
    if (sameKeys[keyField] === undefined || sameKeys[keyField] === null) continue;
    // A filter with `$ne` and the record's id would not use the index of every database.
    const options = { projection: { _id: 1 }, session: currentTransaction()?.session };
    const holder = await model.collection.findOne(sameKeys, options);
    if (holder && !holder._id.equals(record._id)) throw apiError(taken);
  }
}

/** @throws Error when a unique field has no index, or no conflict */
export function uniqueFieldsOf({ schema, modelName }: AnyModel): UniqueField[] {
  return Object.values(schema.paths).flatMap((type) => {
    const { keyField, taken } = optionsOf(type);
    if (!keyField) return [];
    const add = `${modelName}.${type.path} is unique: add`;
    if (!taken) throw new Error(`${add} \`taken\` with its conflict to its schema.ts.`);
    const index = schema.indexes().find(([keys, { unique }]) => unique && keyField in keys);
    if (index) return [{ keyField, keys: Object.keys(index[0]), taken }];
    throw new Error(`${add} an index of ${keyField} with { unique: true } to its schema.ts.`);
  });
}
