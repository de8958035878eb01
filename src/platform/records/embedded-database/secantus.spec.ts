import { type Connection, createConnection, Model, Schema, Types } from 'mongoose';
import { OwnDatabase } from '../../../../test/support/own-database';
import { isDatabaseUnavailable } from '../driver/database-errors';
import { conditionsOf, readPage } from '../reads/find-page';
import type { ServerQuirks } from '../driver/quirks';
import { Database } from '../database';
import { currentTransaction } from '../transactions/context';
import { Transactions } from '../transactions/transactions';

const LIMIT = 20;

let database: OwnDatabase;
let connection: Connection;
let connected: Database;
let model: Model<object>;
let ids: Types.ObjectId[];
// One test makes the server refuse a command, of whichever client.
beforeAll(async () => {
  database = await OwnDatabase.start();
});
afterAll(() => database.stop());
beforeEach(async () => {
  connection = await createConnection(database.uri()).asPromise();
  connected = new Database(connection);
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
  return connected.quirks();
}

async function page(
  skip: number,
  limit: number,
  after?: string,
  sort?: '-_id',
  filter = {},
): Promise<{ ids: string[]; hasMore: boolean }> {
  const [params, quirks] = [{ skip, limit, after, sort }, await connected.quirks()];
  const conditions = conditionsOf(model, filter, params);
  const { records, hasMore } = await readPage<{ _id: Types.ObjectId }>(model, conditions, params, quirks.readPage);
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

describe('a list of the embedded database, read in ranges of ids', () => {
  beforeEach(asSecantus);

  it('leaves out no record when others were deleted or added since the ids were read', async () => {
    await page(0, LIMIT);
    await model.collection.deleteMany({ _id: { $in: [...ids.slice(5, 160), ...ids.slice(200, 390)] } });
    const added = [new Types.ObjectId(), new Types.ObjectId()];
    await model.collection.insertMany(added.map((_id) => ({ _id, revision: 0 })));
    const left = [...ids.slice(0, 5), ...ids.slice(160, 200), ...ids.slice(390), ...added];
    expect(await readAll('-_id')).toEqual(left.map(String).reverse());
    expect(await readAll()).toEqual(left.map(String));
  });

  it('of all, or of those with a value that an index has before the id, reads few of them', async () => {
    model.schema.index({ kind: 1, _id: 1 });
    await model.collection.createIndex({ _id: 1, revision: 1 });
    await model.collection.createIndex({ kind: 1, _id: 1 });
    // Dense, rare, then none.
    const ofKind = ids.filter((_, index) => index < 200 || (index < 300 && index % 40 === 0));
    await model.collection.updateMany({ _id: { $in: ofKind } }, { $set: { kind: 'net' } });
    const command = jest.spyOn(connection.db!, 'command').mockClear();
    for (const filter of [{}, { kind: 'net' }])
      for (const sort of [undefined, '-_id'] as const) {
        expect(await readAll(sort, filter)).toEqual((sort ? ids.toReversed() : ids).filter(isOf(filter)).map(String));
        command.mockClear();
        expect((await page(0, LIMIT, String(ids[150]), sort, filter)).hasMore).toBe(true);
        const [[{ find, filter: read, sort: order }]] = command.mock.calls as [[Record<string, object>]];
        expect(await model.countDocuments(read)).toBeLessThanOrEqual(100);
        const explain = { find, filter: read, sort: order };
        const plan = await connection.db!.command({ explain, verbosity: 'queryPlanner' });
        expect(JSON.stringify(plan)).not.toContain('COLLSCAN');
      }
    function isOf(filter: object): (id: Types.ObjectId) => boolean {
      return (id) => !('kind' in filter) || ofKind.includes(id);
    }
  });
});

test('A commit that was acknowledged is 1901 when nothing can be read after it', async () => {
  await asSecantus();
  const admin = connection.db!.admin();
  const transactions = new Transactions(connected);
  const data = { failCommands: ['find'], errorCode: 1 };
  await admin.command({ configureFailPoint: 'failCommand', mode: { times: 1 }, data });
  const write = () => model.create([{}], { session: currentTransaction()!.session });
  const thrown: unknown = await transactions.run(write).catch((error: unknown) => error);
  expect(isDatabaseUnavailable(thrown)).toBe(true);
});
