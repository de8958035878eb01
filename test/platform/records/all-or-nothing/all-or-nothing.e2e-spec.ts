import { isDeepStrictEqual } from 'node:util';
import { Fault, FAULTS, FORGOTTEN } from '../../../support/fault-proxy';
import { OwnDatabase } from '../../../support/own-database';
import { writes } from '../../../support/writes';
import { Attempts } from './attempts';

/** `FAULTS=killed` runs the fault that takes long: each time it needs another service and database. */
const faults = (process.env.FAULTS?.split(',') as Fault[] | undefined) ?? FAULTS.filter((fault) => fault !== 'killed');

/** Services that are broken at the same time: most of the time they wait for a database that does not respond. */
const SERVICES = 4;

describe('a write', () => {
  let database: OwnDatabase;
  let all: Attempts[];

  beforeAll(async () => {
    database = await OwnDatabase.start();
    all = await Promise.all(Array.from({ length: SERVICES }, () => Attempts.start(database)));
  });
  afterAll(async () => {
    await Promise.all(all.map((attempts) => attempts.stop()));
    await database.stop();
  });

  it.each(writes)(
    '$title: is done or not begun, whichever of its commands fails, and in whichever way',
    async ({ prepare, isTransaction }) => {
      const whole = await all[0]!.attempt(prepare);
      expect(whole.status).toBeLessThan(300);
      expect(whole.commands.includes('commitTransaction')).toBe(isTransaction);
      const points = faults.flatMap((fault) => whole.commands.map((command, index) => ({ fault, index, command })));
      const halfDone: object[] = [];
      const breakPoints = async (service: number): Promise<void> => {
        for (let point = points.pop(); point; point = points.pop()) {
          if (point.fault === 'killed') {
            await all[service]!.stop();
            all[service] = await Attempts.start(database);
          }
          const { status, code, changes } = await all[service]!.attempt(prepare, point);
          const isDone = isDeepStrictEqual(changes, whole.changes);
          const isTold = status < 300 ? isDone : code === 1901 && (isDone || changes.length === 0);
          if (!isTold) halfDone.push({ ...point, status, changes });
        }
      };
      // One that fails must not leave the others running into the next test.
      const runs = await Promise.allSettled(all.map((_, service) => breakPoints(service)));
      const failed = runs.flatMap((run) => (run.status === 'rejected' ? [run.reason as Error] : []));
      expect([...failed, ...halfDone]).toEqual([]);
    },
  );

  it('returns 1901 when it is done and the database has forgotten its commit', async () => {
    const { prepare } = writes.find(({ isTransaction }) => isTransaction)!;
    const whole = await all[0]!.attempt(prepare);
    const index = whole.commands.indexOf('commitTransaction');
    const { status, code, changes } = await all[0]!.attempt(prepare, { index, fault: FORGOTTEN });
    expect({ status, code, changes }).toEqual({ status: 503, code: 1901, changes: whole.changes });
  });

  it.each(writes.filter(({ isTransaction }) => isTransaction))(
    '$title: succeeds when its first two attempts lose a race',
    async ({ prepare }) => {
      const failCommand = { failCommands: ['update', 'findAndModify', 'insert', 'delete'], errorCode: 112 };
      const data = { ...failCommand, errorLabels: ['TransientTransactionError'] };
      const whole = await all[0]!.attempt(prepare);
      const { status, changes } = await all[0]!.attempt(async (service) => {
        const write = await prepare(service);
        await all[0]!.observer.db!.admin().command({ configureFailPoint: 'failCommand', mode: { times: 2 }, data });
        return write;
      });
      expect({ status, changes }).toEqual({ status: whole.status, changes: whole.changes });
    },
  );
});
