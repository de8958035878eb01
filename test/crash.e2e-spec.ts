import { join } from 'node:path';
import { Client } from './chaos/lib/client.mjs';
import { MixedLoad } from './chaos/lib/mixed-load.mjs';
import { Records } from './chaos/lib/records.mjs';
import { brokenInvariants } from './support/broken-invariants';
import { OwnDatabase } from './support/own-database';
import { Program } from './support/program.mjs';
import { ADMIN, ADMIN_SETTINGS, JWT_SECRET, startService } from './support/service';

/** An embedded database that dies more often within a minute is not started again. */
const ROUNDS = 3;
/** Writes that each round acknowledges at least before the kill. */
const ENOUGH = 30;

function startProcess(uri: string): Program {
  return new Program([join(__dirname, '../dist/main.js')], {
    PORT: '0',
    MONGODB_URI: uri,
    JWT_SECRET,
    ...ADMIN_SETTINGS,
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'silent',
  });
}

describe('kill -9 of the service and its database while it writes', () => {
  const records = new Records();
  let database: OwnDatabase;
  beforeAll(async () => void (database = await OwnDatabase.start({ syncOnCommit: true })));
  afterAll(() => database.stop());

  async function expectAllOrNothing(): Promise<void> {
    const service = await startService({ MONGODB_URI: database.uri() });
    expect(await brokenInvariants(service)).toBe('');
    const { lost, halfDone } = await records.compare(await Client.logIn(await service.url(), ADMIN));
    expect({ lost, halfDone, unexpected: records.unexpected }).toEqual({ lost: [], halfDone: [], unexpected: [] });
    await service.stop();
  }

  it(`leaves each write done or not begun, ${ROUNDS} times, and a start that copes`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const service = startProcess(database.uri());
      const [, base = ''] = await service.wrote(/ready at (\S+)\n/);
      const load = new MixedLoad(await Client.logIn(base, ADMIN), records, `r${round}`);
      await records.more(ENOUGH).finally(async () => {
        database.kill();
        await service.kill();
        await load.stop();
      });
      await expectAllOrNothing();
    }
  }, 120_000);
});
