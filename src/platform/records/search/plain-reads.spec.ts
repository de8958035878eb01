import { Schema, SchemaFactory } from '@nestjs/mongoose';
import { type Connection, createConnection, Types } from 'mongoose';
import { OwnDatabase } from '../../../../test/support/own-database';
import { Database } from '../database';
import { connectionOptions } from '../driver/connection-options';
import type { ServerQuirks } from '../driver/quirks';
import { secantusQuirks } from '../embedded-database/secantus';
import type { Records } from '../records';
import { AllRecords } from '../records.module';
import { collection, StoredRecord } from '../schema/record.schema';
import { inContext } from '../transactions/context';

@Schema(collection('things'))
class Thing extends StoredRecord {}

const [ada, bob, eve] = [new Types.ObjectId(), new Types.ObjectId(), new Types.ObjectId()];
let database: OwnDatabase;
let connection: Connection;
beforeAll(async () => {
  database = await OwnDatabase.start();
  const options = { ...connectionOptions, socketTimeoutMS: 300 };
  connection = await createConnection(database.uri(), options).asPromise();
  connection.model('Thing', SchemaFactory.createForClass(Thing));
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
  await connection.close();
  await database.stop();
});

/** How long the place of a lost read is taken in these tests (ms). */
const KEPT_MS = 700;

/** The records on a database of which the driver says that it has these quirks. */
function thingsOn(quirks: ServerQuirks): Records<Thing> {
  const known = new Database(connection);
  jest.spyOn(known, 'quirks').mockResolvedValue(quirks);
  return new AllRecords(known).of('Thing');
}

/** Counts all records for an account. @returns their number */
function count(things: Records<Thing>, _id: Types.ObjectId): Promise<number | undefined> {
  const list = () => things.page({ skip: 0, limit: 1, exactCount: true });
  return inContext({ account: () => ({ _id, username: 'any' }) }, list).then(({ total }) => total);
}

it.each([
  ['timed out', { blockConnection: true, blockTimeMS: 500 }],
  ['lost its connection, also when it was repeated', { closeConnection: true }],
])('a read of all records that %s keeps its place until the embedded database has ended it', async (_how, fault) => {
  const quirks = secantusQuirks();
  const { plainReads } = quirks;
  // In the whole service that is a minute.
  expect(plainReads).toEqual({ running: 2, runningPerKey: 1, endedAfterMs: 60_000 });
  const things = thingsOn({ ...quirks, plainReads: { ...plainReads!, endedAfterMs: KEPT_MS } });
  const data = { failCommands: ['aggregate'], ...fault };
  await connection.db!.admin().command({ configureFailPoint: 'failCommand', mode: { times: 1 }, data });
  await count(things, ada).catch((error: Error) => expect(error.message).toMatch(/timed out/));
  const began = performance.now();
  const ended: string[] = [];
  const next = count(things, ada).then(() => ended.push('ada'));
  // The other place.
  for (const account of [bob, eve]) await count(things, account);
  ended.push('bob', 'eve');
  await next;
  expect(ended).toEqual(['bob', 'eve', 'ada']);
  expect(performance.now() - began).toBeGreaterThan(KEPT_MS - 50);
});
