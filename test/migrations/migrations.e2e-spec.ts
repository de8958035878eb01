import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { Connection, Types } from 'mongoose';
import { checkData } from '../../src/commands/check-data/check-data';
import { createApp } from '../../src/create-app';
import { DatabaseStart } from '../../src/database/database-start';
import {
  beginImport,
  DATA_VERSION,
  endImport,
  readDataVersion,
  recordStep,
} from '../../src/database/migrations/data-version';
import { trigramsOf } from '../../src/database/search-trigrams';
import { settingsFrom } from '../../src/start/load-settings';
import type { Organization } from '../../src/organizations/organization.schema';
import { documentsIn, onDatabase } from '../export-import/files';
import { Paper } from '../support/paper';
import { databaseUri } from '../support/database';
import { OwnDatabase } from '../support/own-database';
import { Program, startCommand, startMain } from '../support/program';
import { testFolder } from '../support/run-folder';
import { ADMIN_SETTINGS, JWT_SECRET, PASSWORD, Service, startService } from '../support/service';

/** What commit 927b3c9 left, the last one without versions of the data (README.md). */
const EARLIER = join(__dirname, 'data-927b3c9.tar.gz');

const SETTINGS = { NODE_ENV: 'test', LOG_LEVEL: 'warn', PORT: '0', JWT_SECRET, ...ADMIN_SETTINGS };

describe('a data folder of the version before', () => {
  let database: OwnDatabase;
  let service: Service | undefined;
  let before: Record<string, unknown[]>;

  beforeAll(async () => {
    const dataDir = testFolder();
    execFileSync('tar', ['-xzf', EARLIER, '-C', dataDir]);
    database = await OwnDatabase.start({ dataDir: join(dataDir, 'data') });
    before = await documentsIn(database.uri());
  }, 60_000);
  afterAll(async () => {
    await service?.stop();
    await database.stop();
  });

  it('says no version, and has records that searches would not find', () => {
    expect(before.migrations).toBeUndefined();
    const organizations = before.organizations as Organization[];
    const outdated = organizations.filter((one) => String(one.searchGrams) !== String(trigramsOf(one.searchText)));
    expect(outdated.map(({ name }) => name).sort()).toEqual(['Ropes', 'Zebra Rigging']);
  });

  it('works after a start, with its passwords and files, and says its version', async () => {
    service = await startService({ MONGODB_URI: database.uri() });
    const ada = await service.logIn({ username: 'ada', password: PASSWORD });
    const [logo] = before.files as { _id: Types.ObjectId; data: { buffer: Buffer } }[];
    const { bytes } = await ada.get(`/files/${logo!._id.toHexString()}`);
    expect(bytes.equals(logo!.data.buffer)).toBe(true);
    expect((await documentsIn(database.uri())).migrations).toEqual([
      { _id: 'data', version: DATA_VERSION, readableFrom: 0, release: expect.any(String) },
    ]);
  });

  it.each([
    ['quicksail', 'Ropes'],
    ['zebra', 'Zebra Rigging'],
  ])('has searches for %s find what an older instance wrote', async (q, name) => {
    const { body } = await service!.admin.get(`/organizations?q=${q}`);
    expect(body.data).toEqual([expect.objectContaining({ name })]);
  });

  it('has lost and changed nothing else, and breaks no invariant', async () => {
    const without = (organizations: unknown[] = []): unknown[] =>
      (organizations as Organization[]).map(({ searchGrams: _, ...organization }) => organization);
    const after = await documentsIn(database.uri());
    expect(without(after.organizations)).toEqual(without(before.organizations));
    expect({ apis: after.apis, files: after.files }).toEqual({ apis: before.apis, files: before.files });
    const report = new Paper();
    await checkData(service!.connection, 'off', { report, progress: new Paper() });
    expect(report.text).toBe('');
  });
});

describe('a database', () => {
  let uri: string;
  const state = <T>(work: Parameters<typeof onDatabase<T>>[1]): Promise<T> => onDatabase(uri, work);
  beforeEach(() => (uri = databaseUri('migrations')));
  afterEach(() => state((connection) => connection.dropDatabase()));

  const command = (...args: string[]): Program => startCommand({ ...SETTINGS, MONGODB_URI: uri }, ...args);

  it('of a newer version ends a start and every command with what to do, and stays as it is', async () => {
    await state((connection) => recordStep(connection, { version: 99, readableFrom: 98 }));
    const before = await documentsIn(uri);
    const message =
      /^The database "roster_test_migrations" has data of Roster .* \(version 99\), which versions before 98 cannot read; this is Roster .* \(version \d+\)\. Use Roster .* or newer\. Nothing was changed\.$/m;
    const programs = [
      startMain({ ...SETTINGS, MONGODB_URI: uri }),
      command('admin', 'list'),
      command('check:data'),
      command('export', join(testFolder(), 'roster.jsonl')),
      command('seed'),
    ];
    for (const program of programs) {
      expect(await program.end()).toBe(1);
      expect(program.errors).toMatch(message);
    }
    expect(await documentsIn(uri)).toEqual(before);
  }, 90_000);

  it('with a part of an import lets no request through until the import has ended', async () => {
    await (await startService({ MONGODB_URI: uri })).app.close();
    await state((connection) => beginImport(connection, { version: 0, readableFrom: 0 }));
    let warned = (_line: unknown): void => undefined;
    const firstWarning = new Promise((resolve) => (warned = resolve));
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation((line) => warned(line));
    const app = await createApp(settingsFrom({ ...SETTINGS, DATA_DIR: testFolder(), MONGODB_URI: uri }));
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
    expect(await firstWarning).toMatch(
      /^Not ready: database: An import into the database .* has not finished\. Wait for it; if it was interrupted, run/,
    );
    for (const url of ['/organizations', '/health/ready']) expect((await app.inject(url)).json().code).toBe(1901);
    await state((connection) => endImport(connection));
    expect(await app.get(DatabaseStart).ready).toBe(true);
    expect((await app.inject('/organizations')).statusCode).toBe(401);
    await app.close();
    warn.mockRestore();
  });

  it('whose start was killed during a step is completed by the next one', async () => {
    const count = 5000;
    await (await startService({ MONGODB_URI: uri })).app.close();
    await state(async (connection) => {
      const { name: text } = connection;
      const records = Array.from({ length: count }, (_, number) => {
        const name = `${text}-${number}`;
        return { name, nameKey: name, organizationId: new Types.ObjectId(), slugs: [{ text: name }], revision: 0 };
      });
      await connection.collection('apis').insertMany(records);
      await connection.collection('migrations').deleteMany();
    });
    const complete = (connection: Connection): Promise<number> =>
      connection.collection('apis').countDocuments({ searchGrams: 'mig' });
    const main = startMain({ ...SETTINGS, MONGODB_URI: uri });
    await state(async (connection) => {
      while ((await complete(connection)) === 0) await new Promise(setImmediate);
      await main.kill();
      expect(await complete(connection)).toBeLessThan(count);
      expect(await readDataVersion(connection)).toMatchObject({ version: 0 });
      // As ten seconds later: a killed instance cannot release its lock.
      await connection.collection('locks').updateMany({}, { $set: { until: new Date(0) } });
    });
    await (await startService({ MONGODB_URI: uri })).app.close();
    expect(await state(complete)).toBe(count);
    expect(await state(readDataVersion)).toMatchObject({ version: DATA_VERSION });
  }, 90_000);

  const status = async (): Promise<string[]> => {
    const program = command('data:version');
    expect(await program.end()).toBe(0);
    return program.output.trimEnd().split('\n');
  };

  it('tells npm run data:version its version and the steps, and is not changed by it', async () => {
    const [title, oldest, step] = await status();
    expect(title).toMatch(
      /^The data has version 0; Roster .* writes version \d+\. The next start runs the steps that are/,
    );
    expect(oldest).toBe('The oldest version that can read the data: 0');
    expect(step).toBe('· 1  to do  rebuild what searches look up, where it is missing or out of date');
    expect(await documentsIn(uri)).toEqual({});

    const service = await startService({ MONGODB_URI: uri });
    await service.stop();
    expect((await status())[0]).toMatch(/^The data has version (\d+); Roster .* writes version \1\. Nothing to do\.$/);
    expect((await status())[2]).toMatch(/^✔ 1 {2}done/);
    expect(await state(readDataVersion)).toMatchObject({ version: DATA_VERSION });
  }, 60_000);

  it('that is too new is what npm run data:version says', async () => {
    await state((connection) => recordStep(connection, { version: 99, readableFrom: 98 }));
    expect((await status())[0]).toMatch(
      /^The data has version 99; .* It cannot read this data: use Roster .* or newer\.$/,
    );
  }, 60_000);
});
