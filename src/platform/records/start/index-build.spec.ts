import { Logger } from '@nestjs/common';
import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { type Connection, createConnection, type Model } from 'mongoose';
import { databaseUri } from '../../../../test/support/database';
import { buildIndexes } from './index-build';
import { collection, StoredRecord } from '../schema/record.schema';

@Schema(collection('things'))
class Thing extends StoredRecord {
  @Prop({ type: String, required: true }) name!: string;
}

const schema = SchemaFactory.createForClass(Thing);
schema.index({ name: 1 });

let connection: Connection;
let things: Model<Thing>;
beforeEach(async () => {
  connection = await createConnection(databaseUri('index-build')).asPromise();
  things = connection.model<Thing>('Thing', schema);
});
afterEach(async () => {
  await connection.dropDatabase();
  await connection.close();
});

const indexes = async (): Promise<unknown[]> => (await things.collection.indexes()).map(({ key }) => key);

describe('the indexes of a collection', () => {
  it('are those of its schema on MongoDB', async () => {
    jest.spyOn(connection.db!, 'command').mockResolvedValue({ version: '8.0.0' });
    await buildIndexes(connection);
    const declared = schema.indexes().map(([keys]) => keys);
    expect(new Set(await indexes())).toEqual(new Set([{ _id: 1 }, ...declared]));
  });

  it('need a majority of the members, and are logged every 30 seconds', async () => {
    const lines = jest.spyOn(Logger.prototype, 'log').mockReturnValue(undefined);
    const timers = jest.spyOn(globalThis, 'setInterval');
    const create = jest.spyOn(connection.collection('things'), 'createIndex').mockImplementation(() => {
      const [report] = timers.mock.calls.findLast(([, ms]) => ms === 30_000)!;
      report();
      return Promise.resolve('');
    });
    await buildIndexes(connection);
    expect(lines.mock.calls.flat()).toContain('Still building the index things (name)');
    for (const [, options] of create.mock.calls) expect(options).toMatchObject({ commitQuorum: 'majority' });
    jest.restoreAllMocks();
  });
});
