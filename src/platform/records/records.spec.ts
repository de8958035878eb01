import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { createConnection, Types } from 'mongoose';
import { useConnection, useModel } from '../../../test/support/connection';
import { databaseUri } from '../../../test/support/database';
import { collection, ifSet, StoredRecord } from './schema/record.schema';
import { Database } from './database';
import type { Records } from './records';
import { AllRecords } from './records.module';
import { Transactions } from './transactions/transactions';

@Schema(collection('things'))
class Thing extends StoredRecord {
  @Prop({ type: String, required: true, searched: true, keyField: 'nameKey', taken: 'tooMany' }) name!: string;
  @Prop({ type: String, required: true, select: false }) nameKey!: string;
  @Prop({ type: [String], default: [], taken: 'preconditionFailed' }) hosts?: string[];
}

const schema = SchemaFactory.createForClass(Thing);
schema.index({ nameKey: 1 }, { unique: true });
schema.index({ hosts: 1 }, { unique: true, ...ifSet('hosts') });

/** Commands of the driver, in their order. */
const commands: string[] = [];
const connection = useConnection('records', { monitorCommands: true });
const model = useModel(connection, schema);
let things: Records<Thing>;
let transactions: Transactions;

beforeAll(() => void connection.getClient().on('commandStarted', ({ commandName }) => commands.push(commandName)));
beforeEach(() => {
  const database = new Database(connection);
  transactions = new Transactions(database);
  things = new AllRecords(database).of('Thing');
});
afterEach(() => jest.restoreAllMocks());

const insert = (name: string): Promise<Thing> => transactions.run(() => things.insert({ name }));
const stored = ({ _id }: { _id: Types.ObjectId }): Promise<Thing | null> =>
  model.findById(_id).schemaLevelProjections(false).lean();
const read = async (name: string): Promise<Thing> => (await things.get((await insert(name))._id))!;

test('A read goes out with the others of the same moment, except in a transaction, which sees its own writes', async () => {
  const all = [await insert('a'), await insert('b')];
  commands.splice(0);
  await Promise.all(all.map(({ _id }) => things.get(_id)));
  expect(commands).toEqual(['find']);
  const renamed = await transactions.run(async () => {
    await things.update(all[0]!, { name: 'c' });
    return things.get(all[0]!._id);
  });
  expect(renamed).toMatchObject({ name: 'c', revision: 1 });
});

test('Equal pages at the same time cost one read, however many they are; other ones have their own', async () => {
  await insert('a');
  commands.splice(0);
  const page = (skip: number): Promise<unknown> => things.page({ skip, limit: 20 }, { name: 'a' });
  await Promise.all([...Array.from({ length: 50 }, () => page(0)), page(1)]);
  // The embedded database looks up in an aggregation.
  expect(commands.filter((name) => name === 'find' || name === 'aggregate')).toHaveLength(2);
});

// In this order: the second finds the name free again, and may leave it taken where the server needs the first.
it.each([
  ['inserts the record again on SecantusDB', { secantusVersion: '0.6.0' }, ['delete', 'insert', 'update']],
  ['is one command on MongoDB', { version: '8.0.0' }, ['update']],
])('an update of a unique value %s', async (_title, buildInfo, expected) => {
  const thing = await read('m');
  const other = await createConnection(databaseUri('records'), { monitorCommands: true }).asPromise();
  jest.spyOn(other.db!, 'command').mockResolvedValue(buildInfo);
  other.model<Thing>('Thing', schema);
  const elsewhere = new Database(other);
  const sent: string[] = [];
  other.getClient().on('commandStarted', ({ commandName }) => sent.push(commandName));
  await new Transactions(elsewhere).run(() =>
    new AllRecords(elsewhere).of<Thing>('Thing').update(thing, { name: 'n' }),
  );
  expect(sent.filter((name) => ['delete', 'insert', 'update'].includes(name))).toEqual(expected);
  expect(await stored(thing)).toMatchObject({ name: 'n', nameKey: 'n', referenceCount: 0, revision: 1 });
  await other.close();
});

test('Each item of a unique list is unique', async () => {
  const insertAt = (name: string, hosts: string[]): Promise<Thing> =>
    transactions.run(() => things.insert({ name, hosts }));
  await insertAt('one', ['a.example', 'b.example']);
  await insertAt('two', ['c.example']);
  await insertAt('none', []);
  await insertAt('none too', []);
  await expect(insertAt('three', ['d.example', 'b.example'])).rejects.toMatchObject({
    errorName: 'preconditionFailed',
  });
});

test('A conflict of the database is a lost race with the record', async () => {
  const thing = await read('a');
  const conflict = Object.assign(new Error('conflict'), { code: 112 });
  const internal = { $set: { searchText: 'b' } };
  for (const [command, write] of [
    ['updateOne', () => things.update(thing, { name: 'b' })],
    ['updateOne', () => things.updateInternal({ _id: thing._id }, internal)],
    ['deleteOne', () => things.remove(thing)],
  ] as const) {
    jest.spyOn(model.collection, command).mockRejectedValueOnce(conflict);
    let lost: unknown;
    await transactions.run(() =>
      (write() as Promise<unknown>).catch((error: unknown) => {
        lost = error;
      }),
    );
    expect(lost).toMatchObject({ code: 1510, record: String(thing._id), cause: conflict });
  }
});

test('Records are written only in a transaction', async () => {
  const thing = await read('a');
  const writes = [
    () => things.insert({ name: 'b' }),
    () => things.update(thing, { name: 'b' }),
    () => things.updateAll({}, { $pull: { slugs: {} } }),
    () => things.remove(thing),
  ];
  for (const write of writes) await expect(write()).rejects.toThrow('are written in a transaction');
});
