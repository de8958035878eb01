import { Types } from 'mongoose';
import { apiError, ErrorName } from '../errors/api-error';
import type { AnyModel } from './any-model';
import { uniqueKeys } from './derived-fields';
import { currentTransaction } from './transaction';

/** A field whose values are unique. */
interface UniqueField {
  readonly keyField: string;
  /** The fields of its index. */
  readonly keys: readonly string[];
  readonly taken: ErrorName;
}

/**
 * Checks that no other record has one of a record's unique keys.
 *
 * @throws ApiError the `taken` of the first field whose key another record has
 */
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

/**
 * The fields of a Model whose values are unique.
 *
 * @throws Error when a field that declares a conflict has no unique index
 */
export function uniqueFieldsOf({ schema, modelName }: AnyModel): UniqueField[] {
  return Object.values(schema.paths).flatMap(({ path, options }) => {
    const { keyField, taken } = options as { keyField?: string; taken?: ErrorName };
    if (!keyField) return [];
    if (!taken) throw new Error(`${modelName}.${path} is unique: add \`taken\` with its conflict to its schema.ts.`);
    const index = schema.indexes().find(([keys, { unique }]) => unique && keyField in keys);
    if (index) return [{ keyField, keys: Object.keys(index[0]), taken }];
    throw new Error(
      `${modelName}.${path} is unique: add an index of ${keyField} with { unique: true } to its schema.ts.`,
    );
  });
}
