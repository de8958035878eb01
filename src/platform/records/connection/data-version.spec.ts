import { Logger } from '@nestjs/common';
import { type Connection, createConnection } from 'mongoose';
import { databaseUri } from '../../../../test/support/database';
import { version as release } from '../../base/settings/version';
import { DATA_VERSION, migrate, openData, readDataVersion, recordStep } from './data-version';
import { Step, STEPS } from './steps';

jest.spyOn(Logger.prototype, 'log').mockImplementation();

let connections: Connection[];
let connection: Connection;
let runs: number[];
beforeEach(async () => {
  const uri = databaseUri('migrate');
  connections = await Promise.all([1, 2].map(() => createConnection(uri).asPromise()));
  connection = connections[0]!;
  runs = [];
});
afterEach(async () => {
  await connection.dropDatabase();
  await Promise.all(connections.map((one) => one.close()));
});

/** A step that notes its runs. */
function step(version: number, readableFrom = 0, work: () => Promise<unknown> = () => Promise.resolve()): Step {
  const run = async (): Promise<void> => {
    runs.push(version);
    await work();
  };
  return { version, title: `step ${version}`, readableFrom, run };
}

describe('the steps', () => {
  it('run once and in their order, and the data says its version and the oldest that can read it', async () => {
    await migrate(connection, [step(1)]);
    const later = [step(1), step(2), step(3, 1)];
    await migrate(connection, later);
    await migrate(connection, later);
    expect(runs).toEqual([1, 2, 3]);
    expect(await readDataVersion(connection)).toMatchObject({ version: 3, readableFrom: 1, release });
  });

  it('run at one of two instances that start at the same time, while the other waits', async () => {
    const lock = (): Promise<unknown> => connections[1]!.collection('locks').findOne({ _id: 'migrations' as never });
    const slow = step(1, 0, async () => expect(await lock()).not.toBeNull());
    await Promise.all(connections.map((one) => migrate(one, [slow])));
    expect(runs).toEqual([1]);
    expect(await lock()).toBeNull();
  });

  it('that did not end run again, and those before them do not', async () => {
    let isKilled = true;
    const second = step(2, 0, () => (isKilled ? Promise.reject(new Error('killed')) : Promise.resolve()));
    await expect(migrate(connection, [step(1), second, step(3)])).rejects.toThrow('killed');
    expect((await readDataVersion(connection)).version).toBe(1);
    isKilled = false;
    await migrate(connection, [step(1), second, step(3)]);
    expect(runs).toEqual([1, 2, 2, 3]);
  });

  it('never set the version back, whichever of two instances is done last', async () => {
    await recordStep(connection, { version: 2, readableFrom: 1 });
    await recordStep(connection, { version: 1, readableFrom: 0 });
    expect(await readDataVersion(connection)).toMatchObject({ version: 2, readableFrom: 1 });
  });

  it('of this release are numbered, and leave what the previous minor version can read', () => {
    const versions = STEPS.map(({ version }) => version);
    expect(versions).toEqual([...new Set(versions)].sort((one, other) => one - other));
    for (const { version, readableFrom } of STEPS) expect(readableFrom).toBeLessThan(version);
  });
});

describe('an instance that is older than the data', () => {
  it('starts when it can read it, and the next newer one repeats the steps that it did not know', async () => {
    const newer = DATA_VERSION + 1;
    const steps = [step(DATA_VERSION), step(newer, 1)];
    await migrate(connection, steps);
    await openData(connection);
    expect(await readDataVersion(connection)).toMatchObject({ version: DATA_VERSION, readableFrom: 1 });
    await migrate(connection, steps);
    expect(runs).toEqual([DATA_VERSION, newer, newer]);
  });

  it('is not one that knows as many steps', async () => {
    await recordStep(connection, { version: DATA_VERSION, readableFrom: DATA_VERSION });
    await openData(connection);
    expect(await readDataVersion(connection)).toMatchObject({ version: DATA_VERSION });
  });
});
