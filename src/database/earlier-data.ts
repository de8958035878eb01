import type { Connection } from 'mongoose';
import type { AnyModel } from './any-model';
import { derivedFields, searchedFields } from './derived-fields';
import { NotReadyError } from './not-ready-error';
import { relyOnGrams } from './search-grams';

/** A collection that only the unreleased version 1.0 had. */
const EARLIER_COLLECTION = 'admins';

/**
 * Rejects a database of the unreleased version 1.0, which has records with other fields, and does not change it.
 *
 * @throws NotReadyError
 */
export async function refuseEarlierData(connection: Connection): Promise<void> {
  const earlier = await connection.db!.listCollections({ name: EARLIER_COLLECTION }, { nameOnly: true }).toArray();
  if (earlier.length === 0) return;
  const advice = 'Set MONGODB_URI to another database, or drop this one.';
  throw new NotReadyError('database', `"${connection.name}" was written by an earlier, unreleased version. ${advice}`);
}

/** How many records get their grams at once. */
const BATCH = 500;

/** Adds the grams of their search text to the records that lack them. From then on, searches rely on them. */
export async function addMissingGrams(connection: Connection): Promise<void> {
  for (const model of Object.values(connection.models)) {
    const fields = searchedFields(model.schema);
    if (fields.length > 0) while (await addToBatch(model, fields));
  }
  relyOnGrams(connection);
}

/** @returns whether there may be more. A record that changes meanwhile is left to the next batch. */
async function addToBatch({ schema, collection }: AnyModel, fields: readonly string[]): Promise<boolean> {
  const projection = Object.fromEntries(['revision', ...fields].map((name) => [name, 1]));
  const records = await collection.find({ searchGrams: null }, { projection, limit: BATCH }).toArray();
  const updates = records.map(({ _id, revision, ...record }) => {
    const { searchText, searchGrams } = derivedFields(schema, record);
    const filter = { _id, revision: revision as number };
    return { updateOne: { filter, update: { $set: { searchText, searchGrams } } } };
  });
  if (updates.length === 0) return false;
  const { matchedCount } = await collection.bulkWrite(updates, { ordered: false });
  if (matchedCount === 0) throw new Error(`No record of ${collection.name} could be completed.`);
  return true;
}
