import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { type Connection, createConnection } from 'mongoose';
import { OwnDatabase } from '../../test/support/own-database';
import { connectionOptions } from './connection-options';
import { collection, StoredRecord } from './record.schema';
import { Records } from './records';

@Schema(collection('things'))
class Thing extends StoredRecord {
  @Prop({ type: String, required: true }) name!: string;
}

let database: OwnDatabase;
let connection: Connection;
let things: Records<Thing>;
let thing: Thing;
let reads = 0;
beforeAll(async () => {
  database = await OwnDatabase.start();
  const options = { ...connectionOptions, socketTimeoutMS: 500, monitorCommands: true };
  connection = await createConnection(database.uri(), options).asPromise();
  const model = connection.model<Thing>('Thing', SchemaFactory.createForClass(Thing));
  thing = await model.create({ name: 'a', createdAt: new Date(), updatedAt: new Date() });
  const none = { afterDelete: () => Promise.resolve(), checkReferences: () => Promise.resolve([]) };
  things = new Records<Thing>(model, none);
  connection.getClient().on('commandStarted', ({ command }) => (reads += command.find || command.aggregate ? 1 : 0));
});
afterAll(async () => {
  await connection.close();
  await database.stop();
});

async function failNext(fault: object): Promise<void> {
  const data = { failCommands: ['find', 'aggregate'], ...fault };
  await connection.db!.admin().command({ configureFailPoint: 'failCommand', mode: { times: 1 }, data });
  reads = 0;
}

describe.each([
  ['by id', async () => (await things.get(thing._id)) && 1],
  ['by a filter', async () => (await things.find({ _id: thing._id })).length],
  ['of how many there are', () => things.count({ name: 'a' })],
])('a read %s', (_what, read) => {
  it.each([
    ['the connection is closed', { closeConnection: true }],
    ['the primary changes', { errorCode: 189 }],
  ])('is repeated once when %s', async (_why, fault) => {
    await failNext(fault);
    expect(await read()).toBe(1);
    expect(reads).toBe(2);
  });

  it('is not repeated when it times out', async () => {
    await failNext({ blockConnection: true, blockTimeMS: 1000 });
    await expect(read()).rejects.toThrow(/timed out/);
    expect(reads).toBe(1);
  });
});
