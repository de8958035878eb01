import { type Connection, createConnection, Schema } from 'mongoose';
import { databaseUri } from '../../test/support/database';
import { addMissingGrams, refuseEarlierData } from './earlier-data';
import { rarestGram } from './search-grams';

let connection: Connection;
beforeAll(async () => {
  connection = await createConnection(databaseUri('earlier-data')).asPromise();
});
afterAll(async () => {
  await connection.dropDatabase();
  await connection.close();
});

describe('a database', () => {
  it('without the collection of the earlier version is accepted', async () => {
    await connection.collection('administrators').insertOne({ name: 'Ada' });
    await expect(refuseEarlierData(connection)).resolves.toBeUndefined();
  });

  it('that the earlier version wrote is refused with what to do, and is not touched', async () => {
    await connection.collection('admins').insertOne({ name: 'Ada' });
    const stored = async (): Promise<unknown[]> => {
      const collections = await connection.db!.collections();
      return Promise.all(collections.map(async (one) => [one.collectionName, await one.find().toArray()]));
    };
    const before = await stored();
    const reason = `"${connection.name}" was written by an earlier, unreleased version. Set MONGODB_URI to another database, or drop this one.`;
    await expect(refuseEarlierData(connection)).rejects.toMatchObject({ condition: 'database', reason });
    expect(await stored()).toEqual(before);
  });
});

describe('records that an earlier version wrote', () => {
  const schema = new Schema({ name: { type: String, searched: true } }, { collection: 'records' });

  it('get their search text and its grams, and nothing else changes', async () => {
    const model = connection.model<object>('Record', schema);
    const complete = { name: 'Ropes', revision: 4, searchText: 'ropes', searchGrams: ['of the service'] };
    const earlier = { name: 'NETS', revision: 3, searchText: 'old' };
    await model.collection.insertMany([{ ...complete }, { ...earlier }, { name: 'x' }]);
    expect(await rarestGram(model, 'zebra')).toBeUndefined();
    await addMissingGrams(connection);
    expect(await model.collection.find({}, { projection: { _id: 0 } }).toArray()).toEqual([
      complete,
      { ...earlier, searchText: 'nets', searchGrams: ['net', 'ets'] },
      { name: 'x', searchText: 'x', searchGrams: [] },
    ]);
    expect(await rarestGram(model, 'zebra')).toBe('zeb');
  });

  it('are completed in several batches', async () => {
    const model = connection.model<object>('Record', schema);
    await model.collection.insertMany(Array.from({ length: 501 }, (_, revision) => ({ name: 'Many', revision })));
    await addMissingGrams(connection);
    expect(await model.collection.countDocuments({ searchGrams: 'man' })).toBe(501);
  });
});
