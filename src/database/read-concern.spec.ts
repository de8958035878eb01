import { type Connection, createConnection } from 'mongoose';
import { OwnDatabase } from '../../test/support/own-database';
import { askForMajority, readingMajority, readOptions } from './read-concern';

let database: OwnDatabase;
let connection: Connection;
beforeAll(async () => {
  database = await OwnDatabase.start();
  connection = await createConnection(database.uri(), { retryReads: false }).asPromise();
});
afterAll(async () => {
  await connection.close();
  await database.stop();
});

const options = () => readingMajority(() => readOptions(connection));

async function askWithError(errorCode: number): Promise<void> {
  const data = { failCommands: ['find'], errorCode };
  await connection.db!.admin().command({ configureFailPoint: 'failCommand', mode: { times: 1 }, data });
  await askForMajority(connection);
}

it('reads what a majority has from a server that can, and says so only when it has responded', async () => {
  await askWithError(148);
  expect(options()).toBeUndefined();
  await expect(askWithError(189)).rejects.toMatchObject({ code: 189 });
  expect(options()).toBeUndefined();
  await askForMajority(connection);
  expect(options()).toEqual({ readConcern: { level: 'majority' } });
  expect(readOptions(connection)).toBeUndefined();
});
