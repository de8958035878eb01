import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { createConnection, SchemaTypes, Types } from 'mongoose';
import { useConnection, useModel } from '../../../test/support/connection';
import { databaseUri } from '../../../test/support/database';
import { collection, StoredRecord } from './schema/record.schema';
import { Records } from './records';
import { Transactions } from './transactions/transactions';

@Schema(collection('things'))
class Thing extends StoredRecord {
  @Prop({ type: String, required: true, searched: true, keyField: 'nameKey', taken: 'tooMany' }) name!: string;
  @Prop({ type: String, required: true, select: false }) nameKey!: string;
  @Prop({ type: SchemaTypes.ObjectId, default: null }) ownerId!: Types.ObjectId | null;
}

const schema = SchemaFactory.createForClass(Thing);
schema.index({ nameKey: 1 }, { unique: true });

/** Commands of the driver, in their order. */
const commands: string[] = [];
const connection = useConnection('records', { monitorCommands: true });
const model = useModel(connection, schema);
let things: Records<Thing>;
let transactions: Transactions;

beforeAll(() => void connection.getClient().on('commandStarted', ({ commandName }) => commands.push(commandName)));
beforeEach(() => {
  transactions = new Transactions(connection);
  things = new Records<Thing>(model);
});
afterEach(() => jest.restoreAllMocks());

const insert = (name: string, fields: object = {}): Promise<Thing> =>
  transactions.run(() => things.insert({ name, ...fields }));
const update = (thing: Thing, set: object): Promise<Thing> => transactions.run(() => things.update(thing, set));
const stored = ({ _id }: { _id: Types.ObjectId }): Promise<Thing | null> =>
  model.findById(_id).schemaLevelProjections(false).lean();
const read = async (name: string): Promise<Thing> => (await things.get((await insert(name))._id))!;

describe('a record that is read', () => {
  it('has no internal fields but those that are asked for', async () => {
    const { _id } = await insert('a');
    const record = await things.get(_id);
    expect(record).not.toHaveProperty('nameKey');
    expect(await things.get(String(_id), { also: ['nameKey'] })).toEqual({ ...record, name: 'a', nameKey: 'a' });
    expect(await things.get(_id, { only: ['nameKey'] })).toEqual({ _id, nameKey: 'a' });
    expect(await things.findUnique('name', 'A')).toMatchObject({ _id });
  });

  it.each(['a'.repeat(24), 'not an id', ''])('is none for the id %j', async (id) => {
    expect(await things.get(id)).toBeUndefined();
  });

  it('is found by ids as text, in a transaction too', async () => {
    const ownerId = new Types.ObjectId();
    const { _id } = await insert('a', { ownerId: String(ownerId) });
    const filter = { _id: { $in: [String(_id)] }, ownerId: String(ownerId) };
    const found = [await things.find(filter), await transactions.run(() => things.find(filter))];
    for (const records of found) expect(records).toMatchObject([{ _id, ownerId }]);
    expect([await things.exists(filter), await things.count(filter, 2)]).toEqual([true, 1]);
    const { records } = await things.page({ skip: 0, limit: 1 }, { ownerId: String(ownerId) });
    expect(records).toMatchObject([{ _id }]);
  });

  it('goes out with the others of the same moment, except in a transaction, which sees its own writes', async () => {
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
});

test('Equal pages at the same time cost one read, however many they are; other ones have their own', async () => {
  await insert('a');
  commands.splice(0);
  const page = (skip: number): Promise<unknown> => things.page({ skip, limit: 20 }, { name: 'a' });
  await Promise.all([...Array.from({ length: 50 }, () => page(0)), page(1)]);
  // The embedded database looks up in an aggregation.
  expect(commands.filter((name) => name === 'find' || name === 'aggregate')).toHaveLength(2);
});

describe('a new record', () => {
  it('has the defaults and what is derived from its fields', async () => {
    const { _id } = await insert('Ä b');
    const record = await stored({ _id });
    expect(record).toMatchObject({ name: 'Ä b', nameKey: 'ä b', searchText: 'ä b', ownerId: null, revision: 0 });
    expect(record!.createdAt).toEqual(record!.updatedAt);
  });

  it('cannot have a unique value that another record has', async () => {
    await insert('a');
    await expect(insert('A')).rejects.toMatchObject({ errorName: 'tooMany' });
    expect(await model.countDocuments()).toBe(1);
  });
});

describe('an update', () => {
  it('changes the record, raises its revision, and returns it as it is read', async () => {
    const thing = await read('a');
    const updated = await update(thing, { name: 'A' });
    expect(updated).toMatchObject({ _id: thing._id, name: 'A', revision: 1 });
    expect(updated).toEqual(await things.get(thing._id));
    expect(await stored(thing)).toMatchObject({ nameKey: 'a', searchText: 'a', referenceCount: 0 });
  });

  it('of nothing sends no command', async () => {
    const thing = await read('a');
    commands.splice(0);
    expect(await things.changes(thing, { name: 'a', unknown: 1, createdAt: undefined })).toEqual({});
    expect(await update(thing, {})).toBe(thing);
    expect(commands).toEqual([]);
  });

  it('at another revision is a lost race, and 1510 in the end', async () => {
    const thing = await read('a');
    await expect(update({ ...thing, revision: 3 }, { ownerId: thing._id })).rejects.toMatchObject({ code: 1510 });
    expect(await stored(thing)).toMatchObject({ ownerId: null, revision: 0 });
  });

  it('cannot take a unique value that another record has', async () => {
    const thing = await read('a');
    await insert('b');
    await expect(update(thing, { name: 'B' })).rejects.toMatchObject({ errorName: 'tooMany' });
    expect(await stored(thing)).toMatchObject({ name: 'a', revision: 0 });
  });

  // In this order: the second finds the name free again, and may leave it taken where the server needs the first.
  it.each([
    ['inserts the record again on SecantusDB', { secantusVersion: '0.6.0' }, ['delete', 'insert', 'update']],
    ['is one command on MongoDB', { version: '8.0.0' }, ['update']],
  ])('of a unique value %s', async (_title, buildInfo, expected) => {
    const thing = await read('m');
    const other = await createConnection(databaseUri('records'), { monitorCommands: true }).asPromise();
    jest.spyOn(other.db!, 'command').mockResolvedValue(buildInfo);
    const elsewhere = new Records<Thing>(other.model<Thing>('Thing', schema));
    const sent: string[] = [];
    other.getClient().on('commandStarted', ({ commandName }) => sent.push(commandName));
    await new Transactions(other).run(() => elsewhere.update(thing, { name: 'n' }));
    expect(sent.filter((name) => ['delete', 'insert', 'update'].includes(name))).toEqual(expected);
    expect(await stored(thing)).toMatchObject({ name: 'n', nameKey: 'n', referenceCount: 0, revision: 1 });
    await other.close();
  });
});

describe('a check', () => {
  it('that values are unique fails for those of another record', async () => {
    const thing = await read('a');
    await things.assertUnique(thing);
    const other = { ...thing, _id: new Types.ObjectId() };
    await expect(things.assertUnique(other)).rejects.toMatchObject({ errorName: 'tooMany' });
  });
});

describe('internal fields', () => {
  it('change without a revision, where the filter matches', async () => {
    const thing = await read('a');
    const change = { $set: { searchText: 'b' } };
    expect(await things.updateInternal({ _id: String(thing._id) }, change)).toBe(true);
    expect(await things.updateInternal({ _id: thing._id, revision: 9 }, change)).toBe(false);
    expect(await stored(thing)).toMatchObject({ searchText: 'b', revision: 0, updatedAt: thing.updatedAt });
  });
});

test('A write leaves for the Events what it has changed', async () => {
  const beforeCommit = jest.spyOn(transactions, 'beforeCommit');
  const thing = await read('a');
  await update(thing, { name: 'b' });
  await transactions.run(async () => things.remove((await things.get(thing._id))!));
  const { _id: id } = thing;
  expect(beforeCommit.mock.calls.flat(2)).toMatchObject([
    { kind: 'created', id, record: { name: 'a' } },
    { kind: 'updated', id, record: { name: 'b' }, fields: [{ field: 'name' }] },
    { kind: 'deleted', id, record: { name: 'b' } },
  ]);
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

test('A deletion needs the revision of the record', async () => {
  const thing = await read('a');
  const remove = (one: Thing): Promise<void> => transactions.run(() => things.remove(one));
  await expect(remove({ ...thing, revision: 3 })).rejects.toMatchObject({ code: 1510 });
  expect(await model.countDocuments()).toBe(1);
  await remove(thing);
  expect(await model.countDocuments()).toBe(0);
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
