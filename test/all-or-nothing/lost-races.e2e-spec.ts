import { OwnDatabase } from '../support/own-database';
import { Attempts, Outcome } from './attempts';
import { Prepare, TRANSACTIONS } from './writes';

let database: OwnDatabase;
let attempts: Attempts;
beforeAll(async () => {
  database = await OwnDatabase.start();
  attempts = await Attempts.start(database);
});
afterAll(async () => {
  await attempts.stop();
  await database.stop();
});

/** The outcome of a write whose commands meet write conflicts, by a fail point of the server. */
async function respondWhile(prepare: Prepare, mode: unknown): Promise<Outcome> {
  const failPoint = async (settings: object): Promise<unknown> =>
    attempts.observer.db!.admin().command({ configureFailPoint: 'failCommand', ...settings });
  const data = { failCommands: ['update', 'findAndModify', 'insert', 'delete'], errorCode: 112 };
  return attempts.attempt(async (service) => {
    const write = await prepare(service);
    return async () => {
      await failPoint({ mode, data: { ...data, errorLabels: ['TransientTransactionError'] } });
      const response = await write();
      await failPoint({ mode: 'off' });
      return response;
    };
  });
}

describe.each(Object.entries(TRANSACTIONS))('%s', (_title, prepare) => {
  it('returns 1510 and changes nothing after five lost races', async () => {
    expect(await respondWhile(prepare, 'alwaysOn')).toMatchObject({ status: 409, code: 1510, changes: [] });
  });

  it('succeeds when only its first two attempts are lost', async () => {
    const { status, changes } = await respondWhile(prepare, { times: 2 });
    expect({ isDone: status < 300, hasChanged: changes.length > 0 }).toEqual({ isDone: true, hasChanged: true });
  });
});
