import { type Connection, createConnection } from 'mongoose';
import { databaseUri } from '../../test/support/database';
import { refuseEarlierData } from './earlier-data';

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
