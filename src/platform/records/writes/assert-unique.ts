import type { Types } from 'mongoose';
import { type ApiError, apiError, apiErrors, type ErrorEntry, type ErrorName } from '../../base/errors/api-error';
import type { AnyModel } from '../driver/any-model';
import { uniqueIndexes, uniqueKeys } from '../schema/unique-keys';
import { currentTransaction } from '../transactions/context';

/** @throws ApiError the `taken` of the first field whose unique key another record has */
export async function assertUnique(model: AnyModel, record: object & { _id?: Types.ObjectId }): Promise<void> {
  const stored: Record<string, unknown> = { ...record, ...uniqueKeys(model.schema, record) };
  for (const { keyField, keys, taken } of uniqueIndexes(model.schema)) {
    if (stored[keyField] === undefined || stored[keyField] === null) continue;
    // Each item of a list is unique.
    const keyOf = (value: unknown): unknown => (Array.isArray(value) ? { $in: value } : value);
    const sameKeys = Object.fromEntries(keys.map((name) => [name, keyOf(stored[name])]));
    // A filter with `$ne` and the record's id would not use the index of every database.
    const options = { projection: { _id: 1 }, session: currentTransaction()?.session };
    const holder = await model.collection.findOne(sameKeys, options);
    if (holder && !holder._id.equals(record._id)) throw conflictWith(holder._id, taken);
  }
}

/** The conflict with a record, which its `Location` names where the table of errors says so. */
function conflictWith(holder: Types.ObjectId, taken: ErrorName): ApiError {
  const { message, holderAt }: ErrorEntry = apiErrors[taken];
  return apiError(taken, message, holderAt === undefined ? {} : { location: `${holderAt}/${String(holder)}` });
}
