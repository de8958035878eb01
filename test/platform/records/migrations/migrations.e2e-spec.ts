import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Types } from 'mongoose';
import { version as release } from '../../../../src/platform/base/settings/version';
import { DatabaseStart } from '../../../../src/platform/records/connection/database-start';
import {
  beginImport,
  DATA_VERSION,
  endImport,
  readDataVersion,
  recordStep,
} from '../../../../src/platform/records/connection/data-version';
import { STEPS } from '../../../../src/platform/records/connection/steps';
import { documentsIn } from '../../../commands/export-import/files';
import { brokenInvariants } from '../../../support/broken-invariants';
import { onDatabase } from '../../../support/connection';
import { databaseUri } from '../../../support/database';
import { OwnDatabase } from '../../../support/own-database';
import { Program } from '../../../support/program.mjs';
import { startCommand, startMain } from '../../../support/programs';
import { testFolder } from '../../../support/run-folder';
import { until } from '../../../support/until';
import { ADMIN_SETTINGS, JWT_SECRET, PASSWORD, Service, startInstance, startService } from '../../../support/service';
import { catchWarnings } from '../../../support/warnings';

/** What commit 927b3c9 left, the last one without versions of the data (README.md). */
const EARLIER = join(__dirname, 'data-927b3c9.tar.gz');

const SETTINGS = { NODE_ENV: 'test', LOG_LEVEL: 'warn', PORT: '0', JWT_SECRET, ...ADMIN_SETTINGS };

describe('a data folder of the version before', () => {
  let database: OwnDatabase;
  let service: Service | undefined;
  let before: Record<string, unknown[]>;

  /** The collections with the index that searches once used. */
  const searchIndexes = (): Promise<string[]> =>
    onDatabase(database.uri(), async ({ db }) => {
      const names = ['apis', 'organizations', 'users'];
      const found = await Promise.all(names.map((name) => db!.collection(name).indexExists('searchGrams_1')));
      return names.filter((_, index) => found[index]);
    });

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

  it('says no version, and has an index that is gone', async () => {
    expect(before.migrations).toBeUndefined();
    expect(await searchIndexes()).toHaveLength(3);
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

  it('has neither that index nor its field any more', async () => {
    expect(await searchIndexes()).toEqual([]);
    const { apis, organizations, users } = await documentsIn(database.uri());
    expect(JSON.stringify([apis, organizations, users])).not.toContain('searchGrams');
  });

  it.each([
    ['quicksail', 'Ropes'],
    ['zebra', 'Zebra Rigging'],
  ])('has searches for %s find what is stored', async (q, name) => {
    const { body } = await service!.admin.get(`/organizations?q=${q}`);
    expect(body.data).toEqual([expect.objectContaining({ name })]);
  });

  it('has lost and changed nothing else, and breaks no invariant', async () => {
    const without = (records: unknown[] = []): unknown[] =>
      (records as { searchGrams?: string[] }[]).map(({ searchGrams: _, ...record }) => record);
    const { organizations, apis, files } = await documentsIn(database.uri());
    expect(organizations).toEqual(without(before.organizations));
    expect({ apis, files }).toEqual({ apis: without(before.apis), files: before.files });
    expect(await brokenInvariants(service!)).toBe('');
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
    const { logged } = catchWarnings();
    const app = await startInstance({ MONGODB_URI: uri });
    await logged(
      /^Not ready: database: An import into the database .* has not finished\. Wait for it; if it was interrupted, run/,
    );
    for (const url of ['/organizations', '/health/ready']) expect((await app.inject(url)).json().code).toBe(1901);
    await state((connection) => endImport(connection));
    expect(await app.get(DatabaseStart).ready).toBe(true);
    expect((await app.inject('/organizations')).statusCode).toBe(401);
    await app.close();
    jest.restoreAllMocks();
  });

  it('with an import that begins while the indexes are built gets no Admin before the import has ended', async () => {
    const begin = (): Promise<void> =>
      state((connection) => beginImport(connection, { version: DATA_VERSION, readableFrom: 0 }));
    const starting = DatabaseStart.prototype as unknown as { build(work: unknown): Promise<unknown> };
    const { build } = starting;
    jest.spyOn(starting, 'build').mockImplementationOnce(async function (this: typeof starting, work) {
      await build.call(this, work);
      await begin();
    });
    const { logged } = catchWarnings();
    const app = await startInstance({ MONGODB_URI: uri });
    await logged(/^Not ready: database: An import into the database .* has not finished/);
    expect(await state((connection) => connection.collection('users').countDocuments())).toBe(0);
    expect((await app.inject('/organizations')).json().code).toBe(1901);
    await state((connection) => endImport(connection));
    expect(await app.get(DatabaseStart).ready).toBe(true);
    expect(await state((connection) => connection.collection('users').countDocuments())).toBe(1);
    await app.close();
    jest.restoreAllMocks();
  });

  it('that cannot be migrated is served all the same: the log says why, and the next attempt migrates it', async () => {
    await state((connection) => connection.collection('apis').insertOne({ name: 'Of a version before' }));
    jest.spyOn(STEPS[0]!, 'run').mockRejectedValueOnce(new Error('no room'));
    const { logged } = catchWarnings();
    const app = await startInstance({ MONGODB_URI: uri });
    await logged(/^The data could not be migrated: no room$/);
    expect((await app.inject('/organizations')).statusCode).toBe(401);
    await until(async () => (await state(readDataVersion)).version === DATA_VERSION);
    await app.close();
    jest.restoreAllMocks();
  });

  it('tells npm run data:version its version, also a newer one, and is not changed by it', async () => {
    const expectShown = async (version: number, readableFrom: number): Promise<void> => {
      const program = command('data:version');
      expect(await program.end()).toBe(0);
      const [own, range] = [`Roster ${release} writes version ${DATA_VERSION}`, `Versions from ${readableFrom} on`];
      expect(program.output).toBe(`The data has version ${version}; ${own}. ${range} can read the data.\n`);
    };
    await expectShown(0, 0);
    expect(await documentsIn(uri)).toEqual({});
    await (await startService({ MONGODB_URI: uri })).stop();
    await expectShown(DATA_VERSION, 0);
    await state((connection) => recordStep(connection, { version: 99, readableFrom: 98 }));
    await expectShown(99, 98);
  }, 60_000);
});
