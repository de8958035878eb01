import { Types } from 'mongoose';
import { apiError, ErrorName } from '../errors/api-error';
import type { AnyModel } from './any-model';
import { uniqueKeys } from './derived-fields';

/** The code of a write that breaks a unique index. */
const DUPLICATE_KEY = 11000;

/**
 * Whether a write failed because it breaks a unique index. While two transactions overlap, the loser of a race for a key
 * gets a write conflict (112) and runs again; then it finds the winner's key.
 */
export function isDuplicateKey(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === DUPLICATE_KEY;
}

/**
 * Explains why a write failed: another record has one of the record's unique keys.
 *
 * @returns undefined when no other record has one any more, so the write may be repeated
 * @throws ApiError the `taken` of that field's declaration; any error that is not that of a unique index
 */
export async function explainConflict(error: unknown, model: AnyModel, record: object): Promise<undefined> {
  if (!isDuplicateKey(error)) throw error;
  await refuseTaken(model, record as { _id: Types.ObjectId });
}

/** @throws ApiError the `taken` of the first field whose key another record has */
export async function refuseTaken<R extends { _id: Types.ObjectId }>(model: AnyModel, record: R): Promise<void> {
  const stored: Record<string, unknown> = { ...record, ...uniqueKeys(model.schema, record) };
  for (const { keys, taken } of uniqueFieldsOf(model)) {
    const sameKeys: object = Object.fromEntries(keys.map((name) => [name, stored[name]]));
    // Not `$ne` with the record's id: SecantusDB would not use the index.
    const holder = (await model.findOne(sameKeys, { _id: 1 }).lean()) as R | null;
    if (holder && !holder._id.equals(record._id)) throw apiError(taken);
  }
}

/**
 * The fields of a Model whose values are unique, each with the fields of its index.
 *
 * @throws Error when a field that declares a conflict has no unique index
 */
export function uniqueFieldsOf({ schema, modelName }: AnyModel): { keys: string[]; taken: ErrorName }[] {
  return Object.values(schema.paths).flatMap(({ path, options }) => {
    const { keyField, taken } = options as { keyField?: string; taken?: ErrorName };
    if (!keyField) return [];
    if (!taken) throw new Error(`${modelName}.${path} is unique: add \`taken\` with its conflict to its schema.ts.`);
    const index = schema.indexes().find(([keys, { unique }]) => unique && keyField in keys);
    if (index) return [{ keys: Object.keys(index[0]), taken }];
    throw new Error(
      `${modelName}.${path} is unique: add an index of ${keyField} with { unique: true } to its schema.ts.`,
    );
  });
}
