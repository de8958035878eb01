import { join } from 'node:path';
import { DatabaseStart } from '../../../src/platform/records/start/database-start';
import { beginImport, endImport, recordVersion } from '../../../src/platform/records/start/data-version';
import { documentsIn } from '../../commands/export-import/files';
import { onDatabase } from '../../support/connection';
import { databaseUri } from '../../support/database';
import { Program } from '../../support/program.mjs';
import { startCommand, startMain } from '../../support/programs';
import { testFolder } from '../../support/run-folder';
import { ADMIN_SETTINGS, JWT_SECRET, startInstance, startService } from '../../support/service';
import { catchWarnings } from '../../support/warnings';

const SETTINGS = { NODE_ENV: 'test', LOG_LEVEL: 'warn', PORT: '0', JWT_SECRET, ...ADMIN_SETTINGS };

describe('a database', () => {
  let uri: string;
  const state = <T>(work: Parameters<typeof onDatabase<T>>[1]): Promise<T> => onDatabase(uri, work);
  beforeEach(() => (uri = databaseUri('data-version-start')));
  afterEach(() => state((connection) => connection.dropDatabase()));

  const command = (...args: string[]): Program => startCommand({ ...SETTINGS, MONGODB_URI: uri }, ...args);

  it.each([99, 1])(
    'of version %d ends a start and every command with what to do, and does not change',
    async (version) => {
      await state((connection) => recordVersion(connection, version));
      const before = await documentsIn(uri);
      const message = new RegExp(
        `^The database "roster_test_data-version-start" has data of Roster .* \\(version ${version}\\); this is Roster .* ` +
          '\\(version \\d+\\)\\. Export them with Roster .*, and import the file into a new database\\. Nothing was changed\\.$',
        'm',
      );
      const programs = [
        startMain({ ...SETTINGS, MONGODB_URI: uri }),
        command('admin', 'list'),
        command('check:data'),
        command('export', join(testFolder(), 'roster.jsonl')),
      ];
      for (const program of programs) {
        expect(await program.end()).toBe(1);
        expect(program.errors).toMatch(message);
      }
      expect(await documentsIn(uri)).toEqual(before);
    },
  );

  it('with a part of an import lets no request through until the import has ended', async () => {
    await (await startService({ MONGODB_URI: uri })).app.close();
    await state((connection) => beginImport(connection));
    const { logged } = catchWarnings();
    const app = await startInstance({ MONGODB_URI: uri });
    await logged(
      /^Not ready: database: An import into the database .* has not finished\. Wait for it; if it was killed/,
    );
    for (const url of ['/organizations', '/health/ready']) expect((await app.inject(url)).json().code).toBe(1901);
    await state((connection) => endImport(connection));
    expect(await app.get(DatabaseStart).ready).toBe(true);
    expect((await app.inject('/organizations')).statusCode).toBe(401);
    await app.close();
    jest.restoreAllMocks();
  });
});
