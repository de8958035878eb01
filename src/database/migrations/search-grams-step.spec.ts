import { type Connection, createConnection, Schema } from 'mongoose';
import { databaseUri } from '../../../test/support/database';
import type { AnyModel } from '../any-model';
import { rebuildSearchGrams } from './search-grams-step';

const schema = new Schema({ name: { type: String, searched: true } }, { collection: 'records' });

let connection: Connection;
let model: AnyModel;
beforeEach(async () => {
  connection = await createConnection(databaseUri('search-grams-step')).asPromise();
  model = connection.model('Record', schema);
});
afterEach(async () => {
  await connection.dropDatabase();
  await connection.close();
});

const records = (): Promise<unknown[]> => model.collection.find({}, { projection: { _id: 0 } }).toArray();

describe('the step of the search grams', () => {
  it('rebuilds those that are missing or of another text, and changes nothing else', async () => {
    const complete = { name: 'Nets', revision: 4, searchText: 'nets', searchGrams: ['net', 'ets'] };
    const renamed = { name: 'ROPES', revision: 3, searchText: 'ropes', searchGrams: ['of ', 'f t'] };
    const earlier = { name: 'Sails', revision: 2, searchText: 'sails' };
    await model.collection.insertMany([{ ...complete }, { ...renamed }, { ...earlier }, { name: 'x' }]);
    await rebuildSearchGrams(connection, [model]);
    expect(await records()).toEqual([
      complete,
      { ...renamed, searchGrams: ['rop', 'ope', 'pes'] },
      { ...earlier, searchGrams: ['sai', 'ail', 'ils'] },
      { name: 'x', searchText: 'x', searchGrams: [] },
    ]);
  });

  it('works in several batches', async () => {
    await model.collection.insertMany(Array.from({ length: 501 }, (_, revision) => ({ name: 'Many', revision })));
    await rebuildSearchGrams(connection, [model]);
    expect(await model.collection.countDocuments({ searchGrams: 'man' })).toBe(501);
  });

  it('looks again at a record that somebody changes meanwhile', async () => {
    await model.collection.insertOne({ name: 'Nets', revision: 0 });
    const collection = connection.collection('records');
    const write = collection.bulkWrite.bind(collection);
    jest.spyOn(collection, 'bulkWrite').mockImplementationOnce(async (...args) => {
      await model.collection.updateOne({}, { $set: { name: 'Ropes', revision: 1 } });
      return write(...args);
    });
    await rebuildSearchGrams(connection, [model]);
    expect(await records()).toEqual([
      { name: 'Ropes', revision: 1, searchText: 'ropes', searchGrams: ['rop', 'ope', 'pes'] },
    ]);
  });
});
