import { statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beginImport } from '../../../src/platform/records/start/data-version';
import { exportData } from '../../../src/commands/export-import/export-data';
import { createWorld } from '../check-data/breaks';
import { onDatabase } from '../../support/connection';
import { databaseUri } from '../../support/database';
import { Json } from '../../support/json';
import { Paper } from '../../support/paper';
import { useService } from '../../support/service';
import { atFirstRecords, documentsIn, edited, exported, imported } from './files';

const target = databaseUri('import-refusals');

const service = useService();
let file: string;
beforeAll(async () => {
  await createWorld(service);
  // Nobody changes the records meanwhile, so a server without snapshots runs these tests, too.
  const client = service.connection.getClient();
  const start = client.startSession.bind(client);
  jest.spyOn(client, 'startSession').mockImplementation(() => start());
  const isUser = (line: string): boolean => line.startsWith('{"collection":"users"');
  // The tests name its first lines.
  file = edited(await exported(service), ([header, ...lines]) => [
    header!,
    ...lines.filter(isUser),
    ...lines.filter((line) => !isUser(line)),
  ]);
});
afterEach(() => onDatabase(target, (connection) => connection.dropDatabase()));

/** Changes the JSON of a line. */
const withLine = (number: number, change: (line: Json) => unknown) => (lines: string[]) =>
  lines.with(number - 1, JSON.stringify(change(JSON.parse(lines[number - 1]!))));

/** Changes the record of a line. */
const withRecord = (number: number, change: (record: Json) => unknown) =>
  withLine(number, (line) => ({ ...line, record: change(line.record) }));

const withoutFiles = (lines: string[]): string[] => lines.filter((line) => !line.includes('"collection":"files"'));

const recordsOf = (header: Json, change: Record<string, number>): unknown => ({
  ...header,
  records: { ...header.records, ...change },
});

type Edit = Parameters<typeof edited>[1];

/** Without the logo of an Organization, which still names it. */
const withoutLogo: Edit = (lines) => withLine(1, (line) => recordsOf(line, { files: 0 }))(withoutFiles(lines));

/** What no message may have. */
const SECRET = '$argon2id$v=19$secret';

/** Line 1 is the header, lines 2 and 3 are Users. */
const BAD_FILES: [what: string, message: RegExp, edit: Edit][] = [
  ['an empty file', /^Line 1 of .* is not the first line of a file that npm run export wrote/, () => Buffer.alloc(0)],
  ['a file of something else', /^Line 1 is not valid JSON in UTF-8, or not complete\./, () => ['# Roster', '']],
  [
    'another version of the format',
    /has version 2 of the format; this release reads version 1\. Use Roster 1/,
    withLine(1, (line) => ({ ...line, rosterExport: 2 })),
  ],
  [
    'data that is too new',
    /has data of Roster 9\.1\.0 \(version 8\); this is Roster .* Use Roster 9\.1\.0 or newer/,
    withLine(1, (line) => ({ ...line, release: '9.1.0', data: { version: 8 } })),
  ],
  [
    'records that this release does not know',
    /has records of "venues", which this release does not know\./,
    withLine(1, (line) => recordsOf(line, { venues: 1 })),
  ],
  [
    'a line that is cut off',
    /^Line 4 is not valid JSON in UTF-8, or not complete\. Export again, or use another file/,
    (lines) => [...lines.slice(0, 3), lines[3]!.slice(0, -20)],
  ],
  [
    'a record without a field',
    /^Line 3 is not a record of users: .*companyName/,
    withRecord(3, ({ companyName: _, ...record }) => record),
  ],
  [
    'a name that is there twice',
    /^Line 3 cannot be stored: another record has its value in the unique index usernameKey_1\. /,
    (lines) => withRecord(3, (record) => ({ ...record, username: JSON.parse(lines[1]!).record.username }))(lines),
  ],
  [
    'fewer records than it says',
    /^Line \d+ is the last one, but the file has 0 instead of 1 records of files\./,
    withoutFiles,
  ],
  ['a broken invariant', /^Broken invariants: 1 \(see above\)\. Nothing was imported\. Keep the records/, withoutLogo],
];

it.each(BAD_FILES)('%s is refused with what to do, and leaves the database empty', async (_what, message, edit) => {
  await expect(imported(service, target, edited(file, edit))).rejects.toThrow(message);
  expect(await documentsIn(target)).toEqual({});
});

it.each<[what: string, record: object]>([
  ['a list', { passwordHash: [SECRET] }],
  ['an object', { email: { text: SECRET } }],
  ['no role', { roles: [SECRET] }],
  ['no date', { createdAt: SECRET }],
  ['no id', { _id: SECRET }],
  ['no number', { revision: SECRET }],
  ['no API keys', { apiKeys: [SECRET] }],
  ['no hash of an API key', { apiKeys: [{ hash: { text: SECRET } }] }],
  ['no sessions', { sessions: SECRET }],
  ['the externalId of another record', { externalId: SECRET }],
])('the error of a value that is %s names its field, and no value of the file', async (_what, record) => {
  const change = (line: number) => withRecord(line, (one) => ({ ...one, ...record }));
  const bad = edited(file, (lines) => change(2)(change(3)(lines)));
  const refused = imported(service, target, bad).catch((error: Error) => error.message);
  expect(await refused).toMatch(new RegExp(`^Line [23] .*${Object.keys(record)[0]}`));
  expect(await refused).not.toContain(SECRET);
});

it('a refused import leaves the unique indexes, on which a running instance relies, and can be repeated', async () => {
  const bad = edited(file, (lines) => lines.with(2, lines[1]!));
  await expect(imported(service, target, bad)).rejects.toThrow('cannot be stored');
  await onDatabase(target, async (connection) => {
    const add = (): Promise<unknown> => connection.collection('users').insertOne({ usernameKey: 'ada' });
    await add();
    await expect(add()).rejects.toMatchObject({ code: 11000 });
    await connection.collection('users').deleteMany({});
  });
  await imported(service, target, file);
});

it('a broken invariant stays with --keep', async () => {
  const { broken, report } = await imported(service, target, edited(file, withoutLogo), { keep: true });
  expect(broken).toBe(1);
  expect(report).toMatch(/^✖ Organization \w{24}: organizationLogoFileId: no File has the id \w{24}\n$/);
  expect((await documentsIn(target)).organizations).toHaveLength(2);
});

it.each([
  ['is missing', 'missing.jsonl', /missing\.jsonl cannot be read: .*ENOENT/],
  ['is a folder', '.', / cannot be read: .*EISDIR/],
])('a file that %s is refused', async (_what, name, message) => {
  await expect(imported(service, target, join(dirname(file), name))).rejects.toThrow(message);
  expect(await documentsIn(target)).toEqual({});
});

it('a database with records is refused, and does not change', async () => {
  await onDatabase(target, (connection) => connection.collection('notes').insertOne({ text: 'of another program' }));
  const before = await documentsIn(target);
  const message = /^The database "\w+(-\w+)*" is not empty: there are records in notes\. Import into a new database/;
  await expect(imported(service, target, file)).rejects.toThrow(message);
  expect(await documentsIn(target)).toEqual(before);
});

it('a database in which another import has begun is refused, and does not change', async () => {
  await onDatabase(target, beginImport);
  const before = await documentsIn(target);
  await expect(imported(service, target, file)).rejects.toThrow(
    /has not finished\. Wait for it; if it was killed, drop/,
  );
  expect(await documentsIn(target)).toEqual(before);
});

it('Ctrl-C ends an import and leaves the database empty', async () => {
  const controller = new AbortController();
  atFirstRecords(() => controller.abort(new Error('Stopped.')));
  const stopped = imported(service, target, file, { signal: controller.signal });
  await expect(stopped).rejects.toThrow('Stopped.');
  expect(await documentsIn(target)).toEqual({});
});

describe('an export', () => {
  const signal = new AbortController().signal;
  const to = (path: string): Promise<void> => exportData(service.connection, path, new Paper(), signal);

  it('keeps a file that exists', async () => {
    writeFileSync(join(dirname(file), 'other'), 'other');
    await expect(to(join(dirname(file), 'other'))).rejects.toThrow(/other exists already\. Choose another name\.$/);
    expect(statSync(join(dirname(file), 'other')).size).toBe(5);
  });
});
