import { type Connection, createConnection, Model, Schema, Types } from 'mongoose';
import { OwnDatabase } from '../../../../test/support/own-database';
import { isDatabaseUnavailable } from '../driver/database-errors';
import { readPage } from '../reads/find-page';
import { secantusQuirks } from './secantus';
import type { ServerQuirks } from '../driver/quirks';
import { quirksOf } from './server-quirks';
import { currentTransaction } from '../transactions/context';
import { Transactions } from '../transactions/transactions';

const LIMIT = 20;

let database: OwnDatabase;
let connection: Connection;
let model: Model<object>;
let ids: Types.ObjectId[];
// One test makes the server refuse a command, of whichever client.
beforeAll(async () => {
  database = await OwnDatabase.start();
});
afterAll(() => database.stop());
beforeEach(async () => {
  connection = await createConnection(database.uri()).asPromise();
  model = connection.model<object>('Record', new Schema({ revision: Number }, { collection: 'records' }));
  ids = Array.from({ length: 400 }, () => new Types.ObjectId());
  // In another order than that of the list, as records are that were inserted again.
  await model.collection.insertMany(ids.map((_id) => ({ _id, revision: 0 })).reverse());
});
afterEach(async () => {
  jest.restoreAllMocks();
  await connection.dropDatabase();
  await connection.close();
});

/** Also where the tests run on another database. */
async function asSecantus(): Promise<ServerQuirks> {
  jest.spyOn(connection.db!, 'command').mockResolvedValueOnce({ secantusVersion: '0.6.0' });
  return quirksOf(connection);
}

async function page(
  skip: number,
  limit: number,
  after?: string,
  sort?: '-_id',
  filter = {},
): Promise<{ ids: string[]; hasMore: boolean }> {
  const [params, quirks] = [{ skip, limit, after, sort }, await quirksOf(connection)];
  const { records, hasMore } = await readPage<{ _id: Types.ObjectId }>(model, filter, params, quirks.readPage);
  return { ids: records.map(({ _id }) => String(_id)), hasMore };
}

async function readAll(sort?: '-_id', filter?: object): Promise<string[]> {
  const read: string[] = [];
  for (let hasMore = true; hasMore;) {
    const next = await page(0, LIMIT, read.at(-1), sort, filter);
    read.push(...next.ids);
    ({ hasMore } = next);
  }
  return read;
}

describe('the list of all records, read between two sampled ids', () => {
  beforeEach(asSecantus);

  it('has each record once, in the order of their ids', async () => {
    expect(await readAll()).toEqual(ids.map(String));
    expect(await readAll('-_id')).toEqual(ids.map(String).reverse());
  });

  it('leaves out no record when others were deleted or added since the last sample', async () => {
    await model.collection.deleteMany({ _id: { $in: [...ids.slice(5, 160), ...ids.slice(200, 390)] } });
    const added = [new Types.ObjectId(), new Types.ObjectId()];
    await model.collection.insertMany(added.map((_id) => ({ _id, revision: 0 })));
    const left = [...ids.slice(0, 5), ...ids.slice(160, 200), ...ids.slice(390), ...added];
    expect(await readAll('-_id')).toEqual(left.map(String).reverse());
    expect(await readAll()).toEqual(left.map(String));
  });

  it('has the records of a range of ids once, and a page of it reads few', async () => {
    const [low, high] = [ids[30]!, ids[370]!];
    const ranges = [{ $gte: low }, { $lt: high }, { $gte: low, $lt: high }];
    for (const _id of ranges) {
      for (const filter of [{ _id }, { _id, revision: 0 }]) {
        const own = ids.slice('$gte' in _id ? 30 : 0, '$lt' in _id ? 370 : 400).map(String);
        expect(await readAll(undefined, filter)).toEqual(own);
        expect(await readAll('-_id', filter)).toEqual(own.toReversed());
      }
    }
    const command = jest.spyOn(connection.db!, 'command').mockClear();
    for (const sort of [undefined, '-_id'] as const)
      for (const _id of ranges) expect((await page(0, LIMIT, undefined, sort, { _id })).hasMore).toBe(true);
    const filters = command.mock.calls.flatMap(([{ filter }]) => (filter ? [filter as object] : []));
    expect(filters).toHaveLength(6);
    for (const filter of filters) expect(await model.countDocuments(filter)).toBeLessThan(120);
  });

  it('of those with a value that an index has before the id, reads few of the others', async () => {
    model.schema.index({ kind: 1, _id: 1 });
    // Dense, rare, then none.
    const ofKind = ids.filter((_, index) => index < 100 || (index < 300 && index % 40 === 0));
    await model.collection.updateMany({ _id: { $in: ofKind } }, { $set: { kind: 'net' } });
    await model.collection.createIndex({ kind: 1, _id: 1 });
    const filter = { kind: 'net' };
    const command = jest.spyOn(connection.db!, 'command').mockClear();
    expect((await page(0, LIMIT, undefined, undefined, filter)).hasMore).toBe(true);
    const [[read]] = command.mock.calls as [[{ find: string; filter: object; sort: object }]];
    expect(await model.countDocuments({ _id: (read.filter as { _id: object })._id })).toBeLessThanOrEqual(100);
    const { find, filter: served, sort } = read;
    const plan = await connection.db!.command({ explain: { find, filter: served, sort }, verbosity: 'queryPlanner' });
    expect(JSON.stringify(plan)).toContain('"keyPattern":{"kind":1,"_id":1}');
    expect(await readAll(undefined, filter)).toEqual(ofKind.map(String));
    expect(await readAll('-_id', filter)).toEqual(ofKind.map(String).reverse());
    expect((await page(98, 2, undefined, undefined, filter)).ids).toEqual(ofKind.slice(98, 100).map(String));
  });

  it('of those with an id that any number of records can have, reads a range of ids', async () => {
    const ownerId = new Types.ObjectId();
    const id = { type: Schema.Types.ObjectId };
    model.schema.add({ ownerId: id, groupId: { ...id, ref: 'Record', onDelete: 'remove', limit: 1000 } });
    for (const fields of [['ownerId'], ['groupId']])
      model.schema.index(Object.fromEntries([...fields, '_id'].map((name) => [name, 1])));
    await model.collection.updateMany({}, { $set: { ownerId, groupId: ownerId } });
    const command = jest.spyOn(connection.db!, 'command');
    const [low, high] = [ids[30]!, ids[370]!];
    for (const filter of [{ ownerId }, { ownerId, _id: { $gte: low, $lt: high } }]) {
      command.mockClear();
      const found = await page(0, LIMIT, undefined, '-_id', filter);
      const last = ids.slice(0, '_id' in filter ? 370 : 400).slice(-LIMIT);
      expect(found).toEqual({ ids: last.map(String).reverse(), hasMore: true });
      expect(command).toHaveBeenCalled();
      for (const [{ filter: read }] of command.mock.calls) {
        expect(JSON.stringify(read)).toContain(String(ownerId));
        expect(await model.countDocuments(read as object)).toBeLessThan(150);
      }
    }
    // The limit of the reference says that few records have it: all of them are read.
    const aggregate = jest.spyOn(model.collection, 'aggregate');
    await page(0, LIMIT, undefined, '-_id', { groupId: ownerId });
    expect(aggregate.mock.calls[0]![0]![0]).toEqual({ $match: { groupId: ownerId } });
  });

  it('of those before a time that an index has, reads a range of ids or that index', async () => {
    model.schema.index({ endsAt: 1 });
    const before = ids.slice(0, 60);
    await model.collection.updateMany({}, { $set: { endsAt: null } });
    await model.collection.updateMany({ _id: { $in: before } }, { $set: { endsAt: new Date(0) } });
    await model.collection.updateOne({ _id: ids[70]! }, { $set: { endsAt: new Date(1) } });
    await model.collection.createIndex({ endsAt: 1 });
    const filter = { endsAt: { $gte: new Date(-8.64e15), $lt: new Date(1) } };
    const aggregate = jest.spyOn(model.collection, 'aggregate');
    expect(await readAll(undefined, filter)).toEqual(before.map(String));
    expect(await readAll('-_id', { ...filter, revision: 0 })).toEqual(before.map(String).reverse());
    // What few records have is found by its index, once it is known that few have it.
    const firsts = aggregate.mock.calls.map((call) => (call as [[{ $match: object }]])[0][0].$match);
    expect(firsts).toContainEqual({ endsAt: { $gte: new Date(-8.64e15), $lt: new Date(1) } });
    expect(firsts.every((first) => '_id' in first || 'endsAt' in first)).toBe(true);
  });

  it('has a page anywhere', async () => {
    expect(await page(260, 3)).toEqual({ ids: ids.slice(260, 263).map(String), hasMore: true });
    expect(await page(399, 3)).toEqual({ ids: ids.slice(399).map(String), hasMore: false });
    const last = ids.map(String).reverse();
    expect(await page(260, 3, undefined, '-_id')).toEqual({ ids: last.slice(260, 263), hasMore: true });
    expect(await page(399, 3, undefined, '-_id')).toEqual({ ids: last.slice(399), hasMore: false });
  });
});

describe('the extra indexes', () => {
  it.each<[string, object, string[]]>([
    ['among some records', { among: { isOpen: true } }, ['_id,isOpen,revision']],
    ['with a limit', { limit: { max: 3 } }, ['_id,referenceCount,revision']],
    [
      'with both',
      { among: { isOpen: true }, limit: { max: 3 } },
      ['_id,isOpen,revision', '_id,isOpen,referenceCount,revision'],
    ],
  ])('serve each update that makes a reference %s', (_title, options, keys) => {
    const id = { type: Schema.Types.ObjectId, ref: 'Record', onDelete: 'clear', ...options } as const;
    // Two references of a kind need the same index.
    connection.model('Referring', new Schema({ firstId: id, secondId: id }));
    const indexes = secantusQuirks().extraIndexes([model as never]);
    expect(indexes.map((index) => Object.keys(index.keys).join())).toEqual(['_id,revision', ...keys]);
  });
});

test('Page boundaries are read from the start on for records with a time, for others with the first list', async () => {
  const { warmUp } = await asSecantus();
  const events = connection.model('Event', new Schema({ createdAt: Date }, { collection: 'events' }));
  const finds = [model, events].map(({ collection }) => jest.spyOn(collection, 'find'));
  await warmUp!([model, events]);
  expect(finds.map(({ mock }) => mock.calls.length > 0)).toEqual([false, true]);
  await page(0, LIMIT);
  expect(finds[0]).toHaveBeenCalled();
});

test('A commit that was acknowledged is 1901 when nothing can be read after it', async () => {
  await asSecantus();
  const admin = connection.db!.admin();
  const transactions = new Transactions(connection);
  const data = { failCommands: ['find'], errorCode: 1 };
  await admin.command({ configureFailPoint: 'failCommand', mode: { times: 1 }, data });
  const write = () => model.create([{}], { session: currentTransaction()!.session });
  const thrown: unknown = await transactions.run(write).catch((error: unknown) => error);
  expect(isDatabaseUnavailable(thrown)).toBe(true);
  expect(transactions.counts.committed).toBe(0);
});
