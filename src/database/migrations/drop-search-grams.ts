import type { Connection } from 'mongoose';
import type { AnyModel } from '../any-model';

/**
 * Removes the index of three-character parts that `q` once used, with its field: with up to 1,200 entries for each record,
 * an Organization with many APIs could not be deleted in one transaction.
 */
export async function dropSearchGrams(connection: Connection, models: readonly AnyModel[]): Promise<void> {
  for (const model of models) {
    const collection = connection.collection(model.collection.name);
    const indexes = await collection.indexes();
    if (indexes.some(({ name }) => name === 'searchGrams_1')) await collection.dropIndex('searchGrams_1');
    await collection.updateMany({ searchGrams: { $exists: true } }, { $unset: { searchGrams: 1 } });
  }
}
