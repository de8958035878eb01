import { isDeepStrictEqual } from 'node:util';
import type { Collection, Connection, mongo } from 'mongoose';
import type { AnyModel, AnySchema } from '../any-model';
import { derivedFields, searchedFields } from '../derived-fields';

/** Records that are read, and written, at once. */
const BATCH = 500;

type Update = mongo.AnyBulkWriteOperation;

/** Gives all records the grams of their search text (docs/adr/0019): versions before the index of `q` wrote none. */
export async function rebuildSearchGrams(connection: Connection, models: readonly AnyModel[]): Promise<void> {
  for (const { schema, collection } of models) {
    if (searchedFields(schema).length === 0) continue;
    while (!(await rebuildAll(connection.collection(collection.name), schema)));
  }
}

/** @returns false when a record was changed by somebody else meanwhile, so it has to be looked at again */
async function rebuildAll(collection: Collection, schema: AnySchema): Promise<boolean> {
  const names = ['revision', 'searchText', 'searchGrams', ...searchedFields(schema)];
  const projection = Object.fromEntries(names.map((name) => [name, 1]));
  let isComplete = true;
  let updates: Update[] = [];
  const write = async (): Promise<void> => {
    if (updates.length === 0) return;
    const { matchedCount } = await collection.bulkWrite(updates, { ordered: false });
    isComplete &&= matchedCount === updates.length;
    updates = [];
  };
  for await (const record of collection.find({}, { projection, batchSize: BATCH })) {
    updates.push(...updateOf(schema, record));
    if (updates.length === BATCH) await write();
  }
  await write();
  return isComplete;
}

function updateOf(schema: AnySchema, record: Record<string, unknown>): Update[] {
  const { _id, revision } = record;
  const { searchText, searchGrams } = derivedFields(schema, record);
  const present = { searchText: record.searchText, searchGrams: record.searchGrams };
  if (isDeepStrictEqual(present, { searchText, searchGrams })) return [];
  const filter = { _id, revision } as object;
  return [{ updateOne: { filter, update: { $set: { searchText, searchGrams } } } }];
}
