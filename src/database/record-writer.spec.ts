import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import mongoose, { type Connection, createConnection, type Model, Types } from 'mongoose';
import { databaseUri } from '../../test/support/database';
import { newRecord } from './derived-fields';
import { collection, StoredRecord } from './record.schema';
import { type RecordUpdate, RecordWriter } from './record-writer';
import { Transactions } from './transactions';

@Schema(collection('things'))
class Thing extends StoredRecord {
  @Prop({ type: String, required: true, searched: true, keyField: 'nameKey', taken: 'apiNameTaken' }) name!: string;
  @Prop({ type: String, required: true, select: false }) nameKey!: string;
}

const schema = SchemaFactory.createForClass(Thing);
schema.index({ nameKey: 1 }, { unique: true });

/** What the driver sends to the server, in its order. */
const commands: string[] = [];
let connection: Connection;
let things: Model<Thing>;
let writer: RecordWriter;

beforeAll(async () => {
  mongoose.set('transactionAsyncLocalStorage', true);
  connection = await createConnection(databaseUri('record-writer'), { monitorCommands: true }).asPromise();
  connection.getClient().on('commandStarted', ({ commandName }) => commands.push(commandName));
  things = connection.model<Thing>('Thing', schema);
  await things.createCollection();
  await things.createIndexes();
});
afterAll(async () => {
  mongoose.set('transactionAsyncLocalStorage', false);
  await connection.dropDatabase();
  await connection.close();
});
beforeEach(async () => {
  await things.deleteMany();
  writer = new RecordWriter(connection, new Transactions(connection));
});
afterEach(() => jest.restoreAllMocks());

/** A stored record at revision 4, as queries return it. */
async function stored(name: string): Promise<Thing> {
  const { _id } = await things.create({ ...newRecord(schema, { name }), revision: 4 });
  const thing = await things.findOne({ _id }).lean();
  commands.splice(0);
  return thing!;
}

const nameOf = async ({ _id }: Thing): Promise<unknown> => (await things.findOne({ _id }).lean())?.name;
const rename = (name: string): RecordUpdate => ({ set: { name } });

describe('an update', () => {
  it('changes the record, raises its revision, and returns it without internal fields', async () => {
    const thing = await stored('a');
    const updated = await writer.update(things, thing, { set: { name: 'A' } });
    expect(updated).toMatchObject({ _id: thing._id, name: 'A', revision: 5 });
    expect(updated).not.toHaveProperty('nameKey');
    expect(commands).toEqual(['update']);
    expect(await things.findOne({ _id: thing._id }).lean()).toEqual(updated);
  });

  it.each([false, true])('does nothing at another revision (in a transaction: %j)', async (inTransaction) => {
    const thing = await stored('a');
    const alongside = jest.fn();
    const stale = { ...thing, revision: 3 };
    const update = { ...rename('b'), ...(inTransaction && { alongside }) };
    await expect(writer.update(things, stale, update)).resolves.toBeUndefined();
    expect(await things.findOne({ _id: thing._id }).lean()).toMatchObject({ name: 'a', revision: 4 });
    expect(alongside).not.toHaveBeenCalled();
  });

  it('commits together with what is written alongside, or not at all', async () => {
    const [thing, other] = [await stored('a'), await stored('b')];
    const renameOther = (name: string) => async () => void (await things.updateOne({ _id: other._id }, { name }));
    await writer.update(things, thing, { set: { name: 'A' }, alongside: renameOther('B') });
    expect([await nameOf(thing), await nameOf(other)]).toEqual(['A', 'B']);
    const alongside = (): Promise<void> => renameOther('C')().then(() => Promise.reject(new Error('not this one')));
    const failed = writer.update(things, { ...thing, revision: 5 }, { set: { name: 'c' }, alongside });
    await expect(failed).rejects.toThrow('not this one');
    expect([await nameOf(thing), await nameOf(other)]).toEqual(['A', 'B']);
  });
});

describe('an update of a unique field', () => {
  it('keeps the internal fields, and refuses a value that another record has', async () => {
    const thing = await stored('a');
    await stored('b');
    await expect(writer.update(things, thing, rename('b'))).rejects.toMatchObject({ code: 11000 });
    await expect(writer.update(things, thing, rename('c'))).resolves.toMatchObject({ name: 'c', revision: 5 });
    const record = await things.findOne({ _id: thing._id }).schemaLevelProjections(false).lean();
    expect(record).toMatchObject({ name: 'c', nameKey: 'c', searchText: 'c', referenceCount: 0, revision: 5 });
  });

  // In this order: the second finds the name free again, and leaves it taken on SecantusDB.
  it.each([
    [{ secantusVersion: '0.6.0' }, ['find', 'delete', 'insert', 'update', 'commitTransaction']],
    [{ version: '8.0.0' }, ['update', 'commitTransaction']],
  ])(
    'inserts the record again on SecantusDB, and is one write in a transaction on MongoDB: %j',
    async (info, expected) => {
      jest.spyOn(connection.db!, 'command').mockResolvedValue(info);
      await writer.update(things, await stored('m'), rename('n'));
      expect(commands).toEqual(expected);
    },
  );

  it('asks the server once what it is, and again if it did not reply', async () => {
    const thing = await stored('a');
    const command = jest.spyOn(connection.db!, 'command').mockRejectedValueOnce(new Error('no reply'));
    await expect(writer.update(things, thing, rename('b'))).rejects.toThrow('no reply');
    const renamed = await writer.update(things, thing, rename('b'));
    await writer.update(things, renamed!, rename('c'));
    expect(command.mock.calls.filter(([sent]) => 'buildInfo' in sent)).toHaveLength(2);
  });
});

describe('a new record', () => {
  const thing = (name: string): { _id: Types.ObjectId } => newRecord(schema, { name });

  it('has its derived fields, and a name that no other record has', async () => {
    const { _id } = (await writer.insert(things, thing('Ä')))!;
    const record = await things.findOne({ _id }).schemaLevelProjections(false).lean();
    expect(record).toMatchObject({ name: 'Ä', nameKey: 'ä', searchText: 'ä', revision: 0 });
    expect(record?.createdAt).toEqual(record?.updatedAt);
    await expect(writer.insert(things, thing('ä'))).rejects.toMatchObject({ errorName: 'apiNameTaken' });
  });

  it('is rolled back when what must commit with it does not', async () => {
    await expect(writer.insert(things, thing('a'), () => Promise.resolve(false))).resolves.toBeUndefined();
    expect(await things.countDocuments()).toBe(0);
    await expect(writer.insert(things, thing('a'), () => Promise.resolve(true))).resolves.toMatchObject({ name: 'a' });
  });

  it('may be tried again when the record that had its name is gone by then', async () => {
    const duplicate = Object.assign(new Error('duplicate'), { code: 11000 });
    jest.spyOn(things.collection, 'insertOne').mockRejectedValueOnce(duplicate);
    await expect(writer.insert(things, thing('a'))).resolves.toBeUndefined();
  });
});

test('a replacement writes what differs, if anything does, and refuses a name that is taken', async () => {
  await stored('b');
  const thing = await stored('a');
  expect(await writer.replace(things, thing, { name: 'a', unknown: 1, createdAt: undefined })).toBe(thing);
  expect(commands).toEqual([]);
  await expect(writer.replace(things, thing, { name: 'B' })).rejects.toMatchObject({ errorName: 'apiNameTaken' });
  expect(await writer.replace(things, thing, { name: 'c' })).toMatchObject({ name: 'c', revision: 5 });
});

test.each([undefined, jest.fn()])('a deletion needs the revision of the record: %p', async (alongside) => {
  const thing = await stored('a');
  await expect(writer.remove(things, { ...thing, revision: 3 }, alongside)).resolves.toBeUndefined();
  expect(await things.countDocuments()).toBe(1);
  await expect(writer.remove(things, thing, alongside)).resolves.toBe(true);
  expect(await things.countDocuments()).toBe(0);
  if (alongside) expect(alongside).toHaveBeenCalledTimes(1);
});
