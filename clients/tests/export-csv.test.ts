import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { env, execPath } from 'node:process';
import { after, before, beforeEach, describe, it } from 'node:test';
import { readCsv } from '../typescript/examples/import-csv/read-csv.ts';
import type { Schemas } from '../typescript/dist/index.js';
import { ImportProgram } from './import-program.ts';
import { ADA } from './program-world.ts';

const PROGRAM = join(import.meta.dirname, '../typescript/examples/export-csv/export-csv.ts');
const UNCHANGED = /^0 (?:would be )?created, 0 (?:would be )?updated, (\d+) unchanged, 0 refused\./;

/** Texts that spreadsheets run, convert or tear apart. */
const HOSTILE = [
  ...['=1+1', '=cmd|" /C calc"!A0', '+1', '-1', '@SUM(1)', "'=1", "'", "''007", '007', '2026-03-16', '1E5', 'TRUE'],
  ...['12345678901234567890', '#N/A', '#REF!', 'a"b', '"', '""', ';', 'a;b,c d', ',', 'sep=;', '😀 ünï', 'refused'],
  ...['a;=1+1;b', 'a,=1+1,b'],
  ...['Harbour', 'harbours', '特殊天', "'s-Hertogenbosch", '\u202ball', 'null', 'organization', 'name,url'],
];

describe('the export of a spreadsheet', () => {
  const world = new ImportProgram();
  let read = {};
  const path = (name: string) => world.path(name);
  const start = (args: string[], settings = {}) => world.run(execPath, [PROGRAM, ...args], { ...read, ...settings });
  const rowsIn = (name: string): string[][] => {
    const { header, lines } = readCsv(path(name));
    return [header, ...lines.map(({ values }) => values)];
  };

  before(async () => {
    await world.start();
    await world.admin.users.createOrUpdate(ADA);
    const ada = await world.loggedIn(ADA);
    const body = { name: 'export', scope: 'read' as const, currentPassword: ADA.password };
    const { data } = await ada.post('/users/{id}/api-keys', { params: { path: { id: 'me' } }, body });
    read = { ROSTER_KEY: data.key };
    for (const [index, text] of HOSTILE.entries()) {
      const name = /^[\u202b]/.test(text) ? `all ${index}` : text;
      const multiline = `${text}\nline "two";\n\t=3`;
      const contact = { contactName: name, contactEmail: null, contactPhone: '+47 22 12 34 56' };
      const organization = await world.admin.organizations.createOrUpdate({
        ...{ name, description: multiline, url: null, ...contact, externalId: index % 2 ? name : null },
      });
      const [api] = [{ organizationId: organization.data._id, name, description: text, ...contact, isPublic: true }];
      const fields = { lifecycleStatus: 'testing', version: name.slice(0, 40), sunsetAt: '2026-12-31' } as const;
      const tags = [['007'], ['-a', '1'], ['true'], ['2026-03-16', 'b'], []][index % 5]!;
      await world.admin.apis.createOrUpdate({ ...api, externalId: name, tags, ...fields });
    }
  });
  beforeEach(() => (world.proxy.before = async () => undefined));
  after(() => world.stop());

  for (const name of ['organizations.csv', 'apis.csv']) {
    it(`comes back without a change, whatever the texts are: ${name}`, async () => {
      const { code, output, errors } = await start([path(name)]);
      assert.deepEqual([code, errors], [0, '']);
      assert.match(output, new RegExp(`has ${HOSTILE.length} (APIs|Organizations)\\.`));
      assert.ok(world.proxy.sent.every((request) => request.startsWith('GET')));
      assert.equal(statSync(path(name)).mode & 0o777, 0o600);
      const cells = rowsIn(name).flat();
      assert.deepEqual(
        cells.filter((cell) => /^[=+\-@\t\r]/.test(cell)),
        [],
      );
      for (const flags of [[], ['--apply']]) {
        const { lines } = await world.import([path(name), ...flags]);
        const [, unchanged] = UNCHANGED.exec(lines.at(-1)!) ?? assert.fail(lines.join('\n'));
        assert.deepEqual([Number(unchanged), world.writes()], [HOSTILE.length, []]);
      }
    });
  }

  it('knows from the beginning of a name what the file is to have', async () => {
    for (const [name, what] of [
      ['organizations2.csv', 'Organizations'],
      ['APIs_2026.csv', 'APIs'],
      ['apisOfAll.csv', 'APIs'],
    ] as const)
      assert.match((await start([path(name)])).output, new RegExp(`has ${HOSTILE.length} ${what}\\.`));
  });

  it('quotes each text with any separator, so a spreadsheet that splits at all of them makes no cell of a part', async () => {
    for (const [name, separator, others] of [
      ['apis-comma.csv', ',', /[;\t]/],
      ['apis-semicolon.csv', ';', /[,\t]/],
      ['apis-tab.csv', 'tab', /[,;]/],
    ] as const) {
      await start([path(name), '--separator', separator]);
      assert.doesNotMatch(readFileSync(path(name), 'utf8').replaceAll(/"(?:[^"]|"")*"/g, ''), others);
    }
  });

  it('changes only what was edited when it comes back, also a name', async () => {
    await start([path('edited-apis.csv'), '--apis', '--separator', ';']);
    const [header, ...rows] = rowsIn('edited-apis.csv') as [string[], ...string[][]];
    const [name, description] = ['name', 'description'].map((column) => header.indexOf(column)) as [number, number];
    const before = await world.api('007');
    rows.find((row) => row[name] === "'007")![name] = '008';
    rows.find((row) => row[name] === "'=1+1")![description] = '=2+2 =';
    const line = (row: string[]) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(';');
    // As Excel saves it.
    writeFileSync(path('edited-apis.csv'), `\ufeff${[header, ...rows].map(line).join('\r\n')}\r\n`);
    const { code, lines, errors } = await world.import([path('edited-apis.csv'), '--apply']);
    assert.deepEqual([code, errors, world.writes().length], [0, '', 2]);
    assert.deepEqual(lines.toSorted().slice(0, 1), [
      `0 created, 2 updated, ${HOSTILE.length - 2} unchanged, 0 refused.`,
    ]);
    const [after, described] = [await world.api('008'), await world.api('=1+1')];
    assert.deepEqual([after?._id, described?.description], [before?._id, '=2+2 =']);
    await world.admin.apis.update(before!._id, { name: '007' });
  });

  it('leaves alone what others have changed meanwhile, and clears what was emptied', async () => {
    await start([path('apis-meanwhile.csv')]);
    const text = readFileSync(path('apis-meanwhile.csv'), 'utf8');
    const [edited, changed, emptied] = (await Promise.all(['007', 'TRUE', '1E5'].map((name) => world.api(name)))).map(
      (api) => api!,
    ) as [Schemas['ApiItem'], Schemas['ApiItem'], Schemas['ApiItem']];
    await world.admin.apis.update(changed._id, { description: 'By others.' });
    const lines = text.split('\n');
    const rowOf = ({ _id }: { _id: string }) => lines.findIndex((line) => line.includes(_id));
    const edit = (record: { _id: string }, from: string, to: string) =>
      (lines[rowOf(record)] = lines[rowOf(record)]!.replace(from, to));
    edit(emptied, "'+47 22 12 34 56", '');
    writeFileSync(path('apis-meanwhile.csv'), lines.join('\n'));
    const first = await world.import([path('apis-meanwhile.csv'), '--apply']);
    const refused =
      /refused: TRUE: TRUE \(it has changed since the export: export it again, or remove the column etag\)/;
    assert.match(first.lines.join('\n'), refused);
    assert.deepEqual(world.writes(), [`PUT /apis/${emptied._id}`]);
    const now = await world.api('1E5');
    assert.deepEqual([now?.contactPhone, now?.contactName], [null, emptied.contactName]);
    assert.equal((await world.api('TRUE'))?.description, 'By others.');
    // Others change another field between the look and the write.
    edit(edited, "'+47 22 12 34 56", '12345');
    writeFileSync(path('apis-meanwhile.csv'), lines.join('\n'));
    world.proxy.before = async (request) => {
      if (!request.startsWith('PUT') || world.writes().length > 1) return;
      await world.admin.apis.update(edited._id, { description: 'Meanwhile.' });
    };
    await world.import([path('apis-meanwhile.csv'), '--apply']);
    const { contactPhone, description } = (await world.api('007'))!;
    assert.deepEqual([contactPhone, description], ['12345', 'Meanwhile.']);
  });

  it('has the records that the account may read, with two requests per page of 100 APIs', async () => {
    const { _id } = (await world.organization('Harbour'))!;
    for (let n = 0; n < 101; n++)
      await world.admin.apis.createOrUpdate({ organizationId: _id, name: `Private ${n}` }, null);
    assert.match((await start([path('apis-of-ada.csv')])).output, new RegExp(`has ${HOSTILE.length} APIs`));
    const admin = await world.run(execPath, [PROGRAM, path('apis-all.csv')]);
    assert.match(admin.output, new RegExp(`has ${HOSTILE.length + 101} APIs`));
    assert.deepEqual(world.proxy.sent, ['GET /apis', 'GET /organizations', 'GET /apis', 'GET /organizations']);
  });

  it('never overwrites a file, and leaves none behind that is not complete', async () => {
    writeFileSync(path('apis-old.csv'), 'mine');
    const old = await start([path('apis-old.csv')]);
    assert.deepEqual([old.code, world.proxy.sent], [2, []]);
    assert.match(old.errors, /exists already\. Choose another name, or delete it first\.\n$/);
    world.proxy.before = async (request) => {
      if (request === 'GET /organizations' && world.proxy.sent.length > 2)
        return Response.json({ status: 'fail', code: 1900, message: 'Broken.' }, { status: 500 });
      // Somebody else writes the file meanwhile.
      if (request === 'GET /organizations') writeFileSync(path('apis-mine.csv'), 'mine');
      return undefined;
    };
    const broken = await world.run(execPath, [PROGRAM, path('apis-broken.csv')]);
    assert.deepEqual([broken.code, broken.errors], [2, '500: Broken. No file was written.\n']);
    world.proxy.sent = [];
    const mine = await start([path('apis-mine.csv')]);
    assert.match(mine.errors, /exists already/);
    assert.deepEqual(
      [readFileSync(path('apis-old.csv'), 'utf8'), readFileSync(path('apis-mine.csv'), 'utf8')],
      ['mine', 'mine'],
    );
    const files = readdirSync(dirname(path('x'))).filter((name) => name.includes('broken') || name.includes('.part'));
    assert.deepEqual(files, []);
  });

  it('that is stopped says so, and leaves no file', async () => {
    const access = { NODE_NO_WARNINGS: '1', ROSTER: world.proxy.address, ...read };
    const reached = new Promise<void>((resolve) => {
      world.proxy.before = () => (resolve(), new Promise<Response>(() => {}));
    });
    const child = spawn(execPath, [PROGRAM, path('apis-stopped.csv')], { env: { ...env, ...access } });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    await reached;
    child.kill('SIGINT');
    assert.deepEqual(await once(child, 'close'), [2, null]);
    assert.equal(errors, 'Stopped. No file was written.\n');
    assert.ok(!readdirSync(dirname(path('x'))).some((name) => name.includes('stopped')));
  });

  it('ends with a sentence if it cannot begin', async () => {
    for (const [args, settings, sentence] of [
      [[], {}, /^Name one file: npm run export:csv/],
      [['a.csv', 'b.csv'], {}, /^Name one file/],
      [[path('records.csv')], {}, /--apis, --organizations or --consumers/],
      [[path('apis.xml'), '--apis', '--organizations'], {}, /--apis, --organizations or --consumers/],
      [[path('apis-1.csv'), '--separator', '|'], {}, /--separator must be/],
      [[path('apis-1.csv'), '--force'], {}, /Unknown option '--force'/],
      [[path('apis-1.csv')], { ROSTER_KEY: '' }, /ROSTER_KEY is not set/],
      [[path('apis-1.csv')], { ROSTER_KEY: `roster_${'0'.repeat(49)}` }, /^401: .*No file was written\.$/m],
      [[path('apis-1.csv')], { ROSTER: 'http://127.0.0.1:9' }, /bad port|refused/],
      [[join(path('none'), 'apis.csv')], {}, /cannot be written: ENOENT.*No file was written/],
    ] as const) {
      const { code, errors } = await start([...args], settings);
      assert.equal(code, 2, errors);
      assert.match(errors, sentence);
      assert.doesNotMatch(errors, /^\s+at /m);
    }
    for (const response of [new Response('<html>'), Response.json({})]) {
      world.proxy.before = async () => response.clone();
      assert.match((await start([path('apis-1.csv')])).errors, /is ROSTER its address\?/);
    }
  });
});
