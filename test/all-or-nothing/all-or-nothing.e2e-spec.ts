import { isDeepStrictEqual } from 'node:util';
import { type Connection, createConnection } from 'mongoose';
import { connectionOptions } from '../../src/database/connection-options';
import { Fault, FaultProxy, FAULTS, FORGOTTEN } from '../support/fault-proxy';
import { OwnDatabase } from '../support/own-database';
import { Service, startService } from '../support/service';
import { declaredOperations, nameOf } from '../contract/operations';
import { Prepare, SINGLE_WRITES, TRANSACTIONS } from './writes';

/** `FAULTS=killed` runs the fault that takes long: each time it needs another service and database. */
const faults = (process.env.FAULTS?.split(',') as Fault[] | undefined) ?? FAULTS.filter((fault) => fault !== 'killed');

type Stored = Record<string, unknown>;

/** What a request led to. */
interface Outcome {
  status: number;
  code: number | undefined;
  /** The commands that it sent to the database. */
  commands: string[];
  /** What it changed, as one text per document: `users ~ referenceCount`. */
  changes: string[];
}

const byId = (documents: unknown[] = []) => new Map((documents as Stored[]).map((one) => [String(one._id), one]));

/** What differs between two states, without ids and values: two runs of one write differ by the same. */
function difference(before: Record<string, unknown[]>, after: Record<string, unknown[]>): string[] {
  const texts: string[] = [];
  for (const name of Object.keys(after)) {
    const [old, now] = [byId(before[name]), byId(after[name])];
    for (const id of old.keys()) if (!now.has(id)) texts.push(`${name} -`);
    for (const [id, document] of now) {
      const was = old.get(id);
      const changed = Object.keys({ ...was, ...document }).filter(
        (field) => !isDeepStrictEqual(was?.[field], document[field]),
      );
      if (!was) texts.push(`${name} +`);
      else if (changed.length > 0) texts.push(`${name} ~ ${changed.sort().join(' ')}`);
    }
  }
  return texts.sort();
}

it('every operation that writes is tried', () => {
  const writing = declaredOperations().filter(({ method }) => method !== 'GET');
  const tried = Object.keys({ ...TRANSACTIONS, ...SINGLE_WRITES }).map((title) => title.split(' ', 2).join(' '));
  const missing = writing.map(nameOf).filter((name) => !tried.includes(name));
  expect({ missing, addThemTo: 'test/all-or-nothing/writes.ts' }).toMatchObject({ missing: [] });
});

describe('a write', () => {
  let database: OwnDatabase;
  let proxy: FaultProxy;
  let service: Service;
  /** Sees what is stored while the service is cut off. */
  let observer: Connection;
  let databases = 0;

  /** On a database of its own: what a broken transaction still locks must not be met by the next write. */
  async function start(): Promise<void> {
    const name = `roster-${(databases += 1)}`;
    service = await startService({ MONGODB_URI: proxy.uri(name) });
    await service.account();
    observer = await createConnection(database.uri(name)).asPromise();
  }

  async function stop(): Promise<void> {
    await observer.close();
    await service.stop();
  }

  beforeAll(async () => {
    // So a database that does not respond takes a moment only.
    Object.assign(connectionOptions, { socketTimeoutMS: 300, serverSelectionTimeoutMS: 800 });
    database = await OwnDatabase.start();
    proxy = await FaultProxy.start(database.uri());
  });
  beforeEach(start);
  afterEach(stop);
  afterAll(async () => {
    proxy.stop();
    await database.stop();
  });

  async function attempt(prepare: Prepare, broken?: { index: number; fault: Fault }): Promise<Outcome> {
    const write = await prepare(service);
    const before = await service.contents(observer);
    proxy.watch(broken);
    const { status, body } = await write();
    const commands = [...proxy.commands];
    proxy.watch();
    const changes = difference(before, await service.contents(observer));
    return { status, code: body?.code as number | undefined, commands, changes };
  }

  it.each(Object.entries({ ...TRANSACTIONS, ...SINGLE_WRITES }))(
    '%s: is done or not begun, whichever of its commands fails, and in whichever way',
    async (title, prepare) => {
      const whole = await attempt(prepare);
      expect(whole.status).toBeLessThan(300);
      expect(whole.commands.includes('commitTransaction')).toBe(title in TRANSACTIONS);
      const halfDone: object[] = [];
      for (const fault of faults) {
        for (const [index, command] of whole.commands.entries()) {
          if (fault === 'killed') await stop().then(start);
          const { status, code, changes } = await attempt(prepare, { index, fault });
          const isDone = isDeepStrictEqual(changes, whole.changes);
          const isTold = status < 300 ? isDone : code === 1901 && (isDone || changes.length === 0);
          if (!isTold) halfDone.push({ fault, index, command, status, changes });
        }
      }
      expect(halfDone).toEqual([]);
    },
    120_000,
  );

  it.each(Object.entries(TRANSACTIONS))(
    '%s: returns 1901 when it is done and the database has forgotten its commit',
    async (_title, prepare) => {
      const whole = await attempt(prepare);
      const index = whole.commands.indexOf('commitTransaction');
      const { status, code, changes } = await attempt(prepare, { index, fault: FORGOTTEN });
      expect({ status, code, changes }).toEqual({ status: 503, code: 1901, changes: whole.changes });
    },
  );

  it.each(Object.entries(TRANSACTIONS))(
    '%s: returns 1510 and changes nothing after five lost races',
    async (_title, prepare) => {
      const outcome = await respondWhile(prepare, 'alwaysOn');
      expect(outcome).toMatchObject({ status: 409, code: 1510, changes: [] });
    },
  );

  it.each(Object.entries(TRANSACTIONS))(
    '%s: succeeds when only its first two attempts are lost',
    async (_title, prepare) => {
      const { status, changes } = await respondWhile(prepare, { times: 2 });
      expect({ isDone: status < 300, hasChanged: changes.length > 0 }).toEqual({ isDone: true, hasChanged: true });
    },
  );

  /** The outcome of a write whose commands meet write conflicts, by a fail point of the server. */
  async function respondWhile(prepare: Prepare, mode: unknown): Promise<Outcome> {
    const failPoint = async (settings: object): Promise<unknown> =>
      observer.db!.admin().command({ configureFailPoint: 'failCommand', ...settings });
    const data = { failCommands: ['update', 'findAndModify', 'insert', 'delete'], errorCode: 112 };
    return attempt(async () => {
      const write = await prepare(service);
      return async () => {
        await failPoint({ mode, data: { ...data, errorLabels: ['TransientTransactionError'] } });
        const response = await write();
        await failPoint({ mode: 'off' });
        return response;
      };
    });
  }
});
