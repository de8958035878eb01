import { type Connection, createConnection } from 'mongoose';
import { databaseUri } from '../../../../test/support/database';
import {
  assertReadable,
  beginImport,
  DATA_VERSION,
  endImport,
  openData,
  readDataVersion,
  recordVersion,
} from './data-version';

let connection: Connection;
beforeEach(async () => void (connection = await createConnection(databaseUri('data-version')).asPromise()));
afterEach(async () => {
  await connection.dropDatabase();
  await connection.close();
});

describe('the version of the data', () => {
  it('never goes back, also when an instance starts that is older than the data and can read it', async () => {
    await recordVersion(connection, { version: DATA_VERSION + 1, readableFrom: DATA_VERSION });
    await recordVersion(connection, { version: DATA_VERSION, readableFrom: 0 });
    await openData(connection);
    expect(await readDataVersion(connection)).toMatchObject({ version: DATA_VERSION + 1, readableFrom: DATA_VERSION });
  });

  it('is that of this release after an import', async () => {
    await beginImport(connection);
    await endImport(connection);
    expect(await assertReadable(connection)).toMatchObject({ version: DATA_VERSION, readableFrom: 0 });
  });
});
