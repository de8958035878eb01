import mongoose, { type Connection, createConnection, Schema, Types } from 'mongoose';
import { databaseUri } from '../../test/support/database';
import { RecordLoader } from './record-loader';

interface Thing {
  _id: Types.ObjectId;
  name: string;
  secret: string;
}

const ids = Array.from({ length: 201 }, () => new Types.ObjectId());
let connection: Connection;
let loader: RecordLoader;
/** The filter of each read. */
const reads: { _id: string | { $in: string[] } }[] = [];

beforeAll(async () => {
  connection = await createConnection(databaseUri('record-loader')).asPromise();
  const schema = new Schema<Thing>({ name: String, secret: { type: String, select: false } }, { versionKey: false });
  schema.pre('find', function () {
    reads.push(this.getFilter() as (typeof reads)[number]);
  });
  const things = connection.model<Thing>('Thing', schema);
  await things.insertMany(ids.map((_id, index) => ({ _id, name: `thing ${index}`, secret: 'hidden' })));
  loader = new RecordLoader(connection);
});
afterAll(async () => {
  await connection.dropDatabase();
  await connection.close();
});
beforeEach(() => reads.splice(0));

const find = (id: Types.ObjectId | string): Promise<Thing | undefined> => loader.find<Thing>('Thing', id);

describe('records by id', () => {
  it('come as plain objects without internal fields', async () => {
    await expect(find(ids[0]!)).resolves.toEqual({ _id: ids[0], name: 'thing 0' });
    await expect(find(ids[0]!.toHexString())).resolves.toEqual({ _id: ids[0], name: 'thing 0' });
    await expect(find(new Types.ObjectId())).resolves.toBeUndefined();
  });

  it('that are asked for in one turn of the event loop come with one read, each id once', async () => {
    const missing = new Types.ObjectId();
    const found = await Promise.all([ids[1]!, missing, ids[2]!, ids[1]!].map(find));
    expect(found.map((thing) => thing?.name)).toEqual(['thing 1', undefined, 'thing 2', 'thing 1']);
    const hexadecimal = [ids[1]!, missing, ids[2]!].map((id) => id.toHexString());
    expect(reads.map(({ _id }) => (_id as { $in: unknown[] }).$in.map(String))).toEqual([hexadecimal]);
  });

  it('are read 200 at a time', async () => {
    const found = await Promise.all(ids.map(find));
    expect(found.map((thing) => thing?.name)).toEqual(ids.map((_, index) => `thing ${index}`));
    expect(reads).toHaveLength(2);
  });

  it('are not read in the transaction of whoever asked first', async () => {
    mongoose.set('transactionAsyncLocalStorage', true);
    const name = await connection.transaction(async () => {
      await loader.model<Thing>('Thing').updateOne({ _id: ids[3] }, { name: 'changed' });
      return (await find(ids[3]!))?.name;
    });
    mongoose.set('transactionAsyncLocalStorage', false);
    expect(name).toBe('thing 3');
  });
});
