import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { type Connection, createConnection } from 'mongoose';
import { OwnDatabase } from '../../../../test/support/own-database';
import { connectionOptions } from './connection-options';
import { collection, StoredRecord } from '../schema/record.schema';
import { Database } from '../database';
import type { Records } from '../records';
import { AllRecords } from '../records.module';

@Schema(collection('things'))
class Thing extends StoredRecord {
  @Prop({ type: String, required: true }) name!: string;
}

let database: OwnDatabase;
let connection: Connection;
let things: Records<Thing>;
let thing: Thing;
const reads: string[] = [];
beforeAll(async () => {
  database = await OwnDatabase.start();
  // After an error, the driver looks for the primary immediately, not half a second after it last did.
  const hasty = { minHeartbeatFrequencyMS: 10, serverMonitoringMode: 'poll' } as const;
  const options = { ...connectionOptions, ...hasty, socketTimeoutMS: 300, monitorCommands: true };
  connection = await createConnection(database.uri(), options).asPromise();
  // As MongoDB: a page of the embedded database needs other reads, too.
  const asked = jest.spyOn(connection.db!, 'command').mockResolvedValueOnce({});
  const known = new Database(connection);
  await known.quirks();
  asked.mockRestore();
  const model = connection.model<Thing>('Thing', SchemaFactory.createForClass(Thing));
  thing = await model.create({ name: 'a', createdAt: new Date(), updatedAt: new Date() });
  things = new AllRecords(known).of('Thing');
  connection.getClient().on('commandStarted', ({ commandName }) => reads.push(commandName));
});
afterAll(async () => {
  await connection.close();
  await database.stop();
});

const page = { skip: 0, limit: 1 };
const named = { name: 'a' };

describe.each([
  ['by id', 'find', async () => (await things.get(thing._id)) && 1],
  ['by a filter', 'find', async () => (await things.find({ _id: thing._id })).length],
  ['of how many there are', 'aggregate', () => things.count(named, 1)],
  ['of a page', 'find', async () => (await things.page(page, named)).records.length],
  ['of how many a list has', 'aggregate', async () => (await things.page({ ...page, exactCount: true }, named)).total],
])('a read %s', (_what, command, read) => {
  async function failNext(times: number, fault: object): Promise<void> {
    // After a fault before, the driver may still be looking for the primary.
    while (!(await connection.db!.command({ ping: 1 }).catch(() => undefined)));
    const data = { failCommands: [command], ...fault };
    await connection.db!.admin().command({ configureFailPoint: 'failCommand', mode: { times }, data });
    reads.splice(0);
  }
  const sent = (): number => reads.filter((name) => name === command).length;

  it.each([
    ['the connection is closed', { closeConnection: true }],
    ['the primary changes', { errorCode: 189 }],
  ])('is repeated when %s, and only once', async (_why, fault) => {
    await failNext(1, fault);
    expect(await read()).toBe(1);
    expect(sent()).toBe(2);
    await failNext(2, fault);
    await expect(read()).rejects.toThrow();
    expect(sent()).toBe(2);
  });

  it('is not repeated when it times out', async () => {
    await failNext(1, { blockConnection: true, blockTimeMS: 600 });
    await expect(read()).rejects.toThrow(/timed out/);
    expect(sent()).toBe(1);
  });
});
