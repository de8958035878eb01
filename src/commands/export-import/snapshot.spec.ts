import { type Connection, createConnection } from 'mongoose';
import { OwnDatabase } from '../../../test/support/own-database';
import { inSnapshot } from './snapshot';

/** Its own, because all transactions of the server are ended. */
let database: OwnDatabase;
let connection: Connection;
beforeAll(async () => {
  database = await OwnDatabase.start();
  connection = await createConnection(database.uri()).asPromise();
  await connection.collection('things').insertOne({ name: 'net' });
});
afterAll(async () => {
  await connection.close();
  await database.stop();
});

const endTransactions = (): Promise<unknown> => connection.db!.admin().command({ killAllSessions: [] });

describe('reads of one moment', () => {
  it('end with what to do when a service that starts ends their transaction', async () => {
    const reads = inSnapshot(connection, async (session) => {
      await connection.collection('things').findOne({}, { session });
      await endTransactions();
      await connection.collection('things').findOne({}, { session });
    });
    await expect(reads).rejects.toThrow('A service that started has interrupted the export.');
  });

  it('are refused by a server that ignores what a snapshot session asks for', async () => {
    const other = await createConnection(database.uri()).asPromise();
    jest.spyOn(other.db!, 'command').mockResolvedValue({ version: '8.0.0' });
    const session = other.getClient().startSession({ snapshot: true });
    // As with a server whose responses have no `atClusterTime`.
    Object.defineProperty(session, 'snapshotTime', { get: () => undefined, set: () => undefined });
    jest.spyOn(other.getClient(), 'startSession').mockReturnValueOnce(session);
    const work = jest.fn(() => Promise.resolve());
    await expect(inSnapshot(other, work)).rejects.toThrow('does not give snapshots');
    expect(work).not.toHaveBeenCalled();
    await other.close();
  });
});
