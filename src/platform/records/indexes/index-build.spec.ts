import { Logger } from '@nestjs/common';
import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { type Connection, createConnection, type Model } from 'mongoose';
import { databaseUri } from '../../../../test/support/database';
import { buildIndexes } from './index-build';
import { collection, StoredRecord } from '../record.schema';

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
const isFoundByIndex = async (filter: object): Promise<boolean> =>
  JSON.stringify(await things.collection.find(filter).explain()).includes('IXSCAN');

describe('the indexes of a collection', () => {
  it('are those of its schema on MongoDB', async () => {
    jest.spyOn(connection.db!, 'command').mockResolvedValue({ version: '8.0.0' });
    expect(await buildIndexes(connection, 'other')).toEqual([]);
    const declared = schema.indexes().map(([keys]) => keys);
    expect(new Set(await indexes())).toEqual(new Set([{ _id: 1 }, ...declared]));
  });

  it.each([
    ['every 30 seconds', 1],
    ['when their build begins and every 30 seconds, if there are many records', 1000],
  ])('need a majority of the members, and are logged %s', async (_when, records) => {
    const lines = jest.spyOn(Logger.prototype, 'log').mockReturnValue(undefined);
    jest.spyOn(connection.collection('things'), 'estimatedDocumentCount').mockResolvedValue(records);
    const timers = jest.spyOn(globalThis, 'setInterval');
    const create = jest.spyOn(connection.collection('things'), 'createIndex').mockImplementation(() => {
      const [report] = timers.mock.calls.findLast(([, ms]) => ms === 30_000)!;
      report();
      report();
      return Promise.resolve('');
    });
    await buildIndexes(connection, 'other');
    const still = `Still building the index of things (name), with ${records} records`;
    const expected = [...(records === 1000 ? [still.replace('Still b', 'B')] : []), still, still];
    expect(lines.mock.calls.flat().filter((line: string) => line.includes('(name)'))).toEqual(expected);
    for (const [, options] of create.mock.calls) expect(options).toMatchObject({ commitQuorum: 'majority' });
    jest.restoreAllMocks();
  });

  it('make every server find a record at a revision without reading the others', async () => {
    await buildIndexes(connection, 'other');
    const { _id, revision } = await things.create({ name: 'a', createdAt: new Date(), updatedAt: new Date() });
    expect(await isFoundByIndex({ searchText: 'a' })).toBe(false);
    expect(await isFoundByIndex({ _id, revision })).toBe(true);
  });
});
