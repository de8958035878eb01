import { createConnection } from 'mongoose';
import { databaseUri, withDatabase } from './database';

describe('the database of a test run', () => {
  it('is there, with transactions', async () => {
    const connection = await createConnection(databaseUri('support')).asPromise();
    try {
      const things = connection.collection('things');
      await things.deleteMany({});
      const failing = connection.transaction(async (session) => {
        await things.insertOne({ kept: false }, { session });
        throw new Error('rolled back');
      });
      await expect(failing).rejects.toThrow('rolled back');
      await connection.transaction((session) => things.insertOne({ kept: true }, { session }));
      expect(await things.distinct('kept')).toEqual([true]);
    } finally {
      await connection.dropDatabase();
      await connection.close();
    }
  });

  it.each([
    ['mongodb://h:1/?directConnection=true', 'mongodb://h:1/x?directConnection=true'],
    ['mongodb://h:1/old?directConnection=true', 'mongodb://h:1/x?directConnection=true'],
    ['mongodb://u:p@h:1,i:2/old?replicaSet=rs0', 'mongodb://u:p@h:1,i:2/x?replicaSet=rs0'],
    ['mongodb+srv://h', 'mongodb+srv://h/x'],
  ])('is named in the address %s', (uri, named) => expect(withDatabase(uri, 'x')).toBe(named));

  it('takes no name that would be another address', () => expect(() => databaseUri('a/b?c')).toThrow('not a name'));
});
