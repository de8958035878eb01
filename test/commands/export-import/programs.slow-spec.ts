import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../../../scripts/lib/paths.mjs';
import { inSnapshot } from '../../../src/commands/export-import/snapshot';
import { newRecord } from '../../../src/platform/records/schema/derived-fields';
import { File, FileSchema } from '../../../src/registry/files/file.schema';
import { OwnDatabase } from '../../support/own-database';
import { Program } from '../../support/program.mjs';
import { testFolder } from '../../support/run-folder';
import { JWT_SECRET, Service, startService } from '../../support/service';
import { until } from '../../support/until';
import { png } from '../../support/uploads.mjs';
import { documentsIn } from './files';

/** Of a MiB each: more than the heap of the programs (MiB) holds. */
const FILES = 100;
const HEAP = 96;

/** Its own, because each start of a service ends the transactions of the server: an export of seconds would be interrupted. */
let database: OwnDatabase;
let service: Service;
let folder: string;
beforeAll(async () => {
  database = await OwnDatabase.start();
  service = await startService({ MONGODB_URI: database.uri() });
  const data = png();
  const common = {
    contentType: 'image/png',
    size: data.length,
    createdBy: service.admin.id,
    unattachedSince: new Date(),
  };
  for (let number = 0; number < FILES; number += 10) {
    // Text, because bytes are not in the heap.
    const files = Array.from({ length: 10 }, (_, index) => ({
      ...newRecord(FileSchema, { ...common, fileName: `${number + index}`.padEnd(1024 * 1024, '.') }),
      data,
    }));
    await service.model<File>('File').collection.insertMany(files);
  }
});
beforeEach(() => (folder = testFolder()));
afterAll(async () => {
  await service.stop();
  await database.stop();
});

/** A program with a heap that holds only some of the records. */
function start(name: string, uri: string, ...args: string[]): Program {
  const program = [`--max-old-space-size=${HEAP}`, COMMANDS, name, ...args];
  return new Program(program, { MONGODB_URI: uri, JWT_SECRET }, folder);
}

it('npm run export and npm run import need little memory for many records', async () => {
  const writer = start('export', service.databaseUri, 'roster.jsonl');
  expect([await writer.end(), writer.errors]).toEqual([0, expect.stringMatching(/^✔ Records: \d+ exported$/m)]);
  const file = join(folder, 'roster.jsonl');
  expect(writer.errors).toContain(`${file} has password hashes in it: keep it where only you can read it.\n`);
  expect(statSync(file).size).toBeGreaterThan(FILES * 1024 * 1024);
  const target = database.uri('target');
  const reader = start('import', target, file);
  expect([await reader.end(), reader.errors]).toEqual([0, expect.stringContaining('✔ File: 100 checked, 0 broken')]);
  expect(reader.output).toMatch(/^Imported \d+ records\. No invariant is broken\. Sessions are not exported/);
  expect((await documentsIn(target)).files).toHaveLength(FILES);
});

it('Ctrl-C ends npm run export with 1 and leaves no file', async () => {
  const writer = start('export', service.databaseUri, 'roster.jsonl');
  await until(() => readdirSync(folder).length > 0);
  expect(await writer.stop('SIGINT')).toBe(1);
  expect(writer.errors).toMatch(/^Stopped\. Nothing was exported or imported\.$/m);
  expect(readdirSync(folder)).toEqual([]);
});

it('an export that the start of a service interrupts says what to do', async () => {
  const { connection } = service;
  const reads = inSnapshot(connection, async (session) => {
    await connection.collection('users').findOne({}, { session });
    await connection.db!.admin().command({ killAllSessions: [] });
    await connection.collection('users').findOne({}, { session });
  });
  await expect(reads).rejects.toThrow('A service that started has interrupted the export.');
});
