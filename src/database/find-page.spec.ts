import { setImmediate } from 'node:timers/promises';
import { type Connection, createConnection, Model, Schema, Types } from 'mongoose';
import { databaseUri } from '../../test/support/database';
import { findPage } from './find-page';
import { idMarksOf } from './id-marks';

const LIMIT = 20;

let connection: Connection;
let model: Model<object>;
let ids: Types.ObjectId[];
beforeEach(async () => {
  connection = await createConnection(databaseUri('find-page'), { monitorCommands: true }).asPromise();
  model = connection.model<object>('Record', new Schema({ revision: Number }, { collection: 'records' }));
  await model.collection.createIndex({ _id: 1, revision: 1 });
  ids = Array.from({ length: 400 }, () => new Types.ObjectId());
  // In another order than that of the list, as records are that SecantusDB inserted again.
  await model.collection.insertMany(ids.map((_id) => ({ _id, revision: 0 })).reverse());
  const marks = await idMarksOf(model);
  while (marks && !marks.endOf(undefined, 300)) await setImmediate();
});
afterEach(async () => {
  await connection.dropDatabase();
  await connection.close();
});

/** All pages, read one after another by `after`. */
async function readAll(): Promise<string[]> {
  const read: string[] = [];
  for (let hasMore = true; hasMore;) {
    const page = await findPage<{ _id: Types.ObjectId }>(model, {}, { skip: 0, limit: LIMIT, after: read.at(-1) });
    read.push(...page.records.map(({ _id }) => String(_id)));
    ({ hasMore } = page);
  }
  return read;
}

describe('the list of all records', () => {
  it('has each record once, in the order of their ids', async () => {
    expect(await readAll()).toEqual(ids.map(String));
  });

  it('leaves out no record when others were deleted or added since the last look at the ids', async () => {
    await model.collection.deleteMany({ _id: { $in: [...ids.slice(5, 160), ...ids.slice(200, 390)] } });
    const added = [new Types.ObjectId(), new Types.ObjectId()];
    await model.collection.insertMany(added.map((_id) => ({ _id, revision: 0 })));
    const left = [...ids.slice(0, 5), ...ids.slice(160, 200), ...ids.slice(390), ...added];
    expect(await readAll()).toEqual(left.map(String));
  });

  it('has a page anywhere', async () => {
    const page = await findPage<{ _id: Types.ObjectId }>(model, {}, { skip: 260, limit: 3 });
    expect(page.records.map(({ _id }) => String(_id))).toEqual(ids.slice(260, 263).map(String));
    const last = await findPage<{ _id: Types.ObjectId }>(model, {}, { skip: 399, limit: 3 });
    expect([last.records.length, last.hasMore]).toEqual([1, false]);
  });
});

describe('equal requests at the same time', () => {
  it('cost two reads, however many they are; other ones have their own', async () => {
    let reads = 0;
    const count = ({ commandName }: { commandName: string }): void => void (reads += commandName === 'find' ? 1 : 0);
    connection.getClient().on('commandStarted', count);
    const page = (skip: number): Promise<{ records: readonly unknown[] }> =>
      findPage(model, {}, { skip, limit: LIMIT });
    const pages = await Promise.all([...Array.from({ length: 50 }, () => page(0)), page(1)]);
    expect(new Set(pages.map(({ records }) => records.length))).toEqual(new Set([LIMIT]));
    expect(reads).toBe(3);
  });
});
