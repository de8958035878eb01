import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { after, before, describe, it } from 'node:test';
import { ADMIN, startOwnService } from '../../scripts/lib/own-service.mjs';
import { RosterClient } from '../typescript/dist/index.js';
import { type Proxy, startProxy } from './proxy.ts';

const NPM_SCRIPT = join(import.meta.dirname, '../../scripts/import-csv.mjs');
const PROGRAM = join(import.meta.dirname, '../typescript/examples/import-csv/import-csv.ts');
const TEMPLATES = join(import.meta.dirname, '../../examples/csv');

describe('the import of a spreadsheet', () => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-import-csv-'));
  let service: Awaited<ReturnType<typeof startOwnService>>;
  let proxy: Proxy;
  let admin: RosterClient;
  let key: string;

  before(async () => {
    service = await startOwnService();
    proxy = await startProxy(service.address);
    admin = new RosterClient({ baseUrl: service.address });
    await admin.logIn({ username: ADMIN.username, password: ADMIN.password });
    const body = { name: 'spreadsheets', scope: 'write' as const, currentPassword: ADMIN.password };
    key = (await admin.post('/users/{id}/api-keys', { params: { path: { id: 'me' } }, body })).data.key;
  });
  after(async () => {
    proxy.stop();
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  /** Writes a file, and returns its path. */
  function file(contents: string | Buffer, name = 'rows.csv'): string {
    const path = join(folder, name);
    writeFileSync(path, contents);
    return path;
  }

  async function run(
    args: string[],
    settings = {},
    program = PROGRAM,
  ): Promise<{ code: unknown; lines: string[]; errors: string }> {
    proxy.sent = [];
    const access = { ROSTER: proxy.address, ROSTER_KEY: key, ...settings };
    return new Promise((resolve) =>
      execFile(
        execPath,
        ['--disable-warning=ExperimentalWarning', program, ...args],
        { env: { ...env, ...access } },
        (error, stdout, errors) => resolve({ code: error?.code ?? 0, lines: stdout.split('\n').slice(0, -1), errors }),
      ),
    );
  }

  const writes = (): string[] => proxy.sent.filter((request) => !request.startsWith('GET'));
  const organization = async (name: string) =>
    (await admin.get('/organizations', { params: { query: { name } } })).data[0];
  const api = async (name: string) => (await admin.get('/apis', { params: { query: { name } } })).data[0];

  it('takes the templates; writes nothing without --apply, and nothing the second time', async () => {
    for (const [name, rows] of [
      ['organizations.csv', ['Miller & Sons', 'Harbour Office']],
      ['apis.csv', ['Miller & Sons: Net Sizes', 'Harbour Office: Arrivals']],
    ] as const) {
      const template = join(TEMPLATES, name);
      const report = (outcome: string, last: string) => [
        ...rows.map((row, n) => `row ${n + 2}: ${outcome}: ${row}`),
        last,
      ];
      const notWritten = 'Nothing was written; --apply writes.';
      const dry = await run([template], {}, NPM_SCRIPT);
      const would = `2 would be created, 0 would be updated, 0 unchanged, 0 refused. ${notWritten}`;
      assert.deepEqual([dry.code, dry.lines], [0, report('would be created', would)]);
      assert.deepEqual(writes(), []);
      const created = await run([template, '--apply']);
      const done = '2 created, 0 updated, 0 unchanged, 0 refused.';
      assert.deepEqual(created, { code: 0, lines: report('created', done), errors: '' });
      const again = await run([template, '--apply']);
      assert.deepEqual(again.lines, report('unchanged', '0 created, 0 updated, 2 unchanged, 0 refused.'));
      assert.deepEqual(writes(), []);
    }
    assert.equal((await organization('Miller & Sons'))?.description, 'We make nets,\nand repair them.');
    const { tags, isPublic, lifecycleStatus } = (await api('Net Sizes'))!;
    assert.deepEqual([tags, isPublic, lifecycleStatus], [['fishing', 'nets'], true, 'production']);
  });

  it('reads what Excel writes: a byte order mark, semicolons, CRLF, quoted cells, empty rows and columns', async () => {
    const rows = [
      'organization;name;tags;isPublic;;',
      '"Harbour Office";Arrivals;"quay;berth, ships";TRUE;;',
      ';;;;;',
      '',
    ];
    const { lines } = await run([file(`\ufeff${rows.join('\r\n')}`), '--apply']);
    assert.deepEqual(lines, [
      'row 2: updated: Harbour Office: Arrivals (tags, isPublic)',
      '0 created, 1 updated, 0 unchanged, 0 refused.',
    ]);
    const { tags, isPublic, lifecycleStatus } = (await api('Arrivals'))!;
    assert.deepEqual([tags, isPublic, lifecycleStatus], [['berth', 'quay', 'ships'], true, 'testing']);
  });

  it('updates what differs, also where a name is in other letters, and keeps what empty cells leave out', async () => {
    const rows =
      'name,url,contactName\nHARBOUR OFFICE,https://harbour.example,\nMiller & Sons,https://nets.example,Ada\n';
    const dry = await run([file(rows)]);
    const applied = await run([file(rows), '--apply']);
    assert.deepEqual(applied.lines.slice(0, 2), [
      'row 2: updated: HARBOUR OFFICE (name)',
      'row 3: updated: Miller & Sons (url, contactName)',
    ]);
    assert.deepEqual(
      dry.lines.slice(0, 2),
      applied.lines.slice(0, 2).map((line) => line.replace('updated', 'would be updated')),
    );
    assert.deepEqual([applied.code, writes().length], [0, 2]);
    assert.equal((await organization('Harbour Office'))?.contactEmail, 'office@harbour.example');
  });

  it('refuses rows one by one, and says why', async () => {
    const organizations =
      'name,url\nRopes,nowhere\nSails,\n,https://x.example\nMILLER & SONS,https://nets.example\n'.concat(
        'Miller & Sons,https://nets.example\nOars,https://x.example,no,column\n',
      );
    const apis = 'organization,name,url,isPublic,lifecycleStatus,tags\nNobody,Prices,https://x.example,,,\n'.concat(
      ',Prices,https://x.example,,,\nMiller & Sons,Prices,https://x.example,yes,old,Not-A-Tag\n',
    );
    const expected: [string, string[], string[]][] = [
      [
        organizations,
        [
          'row 2: refused: Ropes (url must look like https://miller-and-sons.example)',
          'row 3: refused: Sails (url is required)',
          'row 4: refused: (name is required)',
          'row 5: would be updated: MILLER & SONS (name)',
          'row 6: refused: Miller & Sons (a row above has this name)',
          'row 7: refused: Oars (it has more cells than there are columns)',
        ],
        ['row 2: refused: Ropes (url must be an http or https URL with a host and without credentials)'],
      ],
      [
        apis,
        [
          'row 2: refused: Nobody: Prices (there is no Organization Nobody)',
          'row 3: refused: Prices (organization is required)',
          'row 4: refused: Miller & Sons: Prices (lifecycleStatus must be one of design, development, testing, production, '.concat(
            'deprecated; isPublic must be true or false; tags must look like fishing nets)',
          ),
        ],
        ['row 4: refused: Miller & Sons: Prices (lifecycleStatus must be one of: design'],
      ],
    ];
    for (const [rows, dryRun, applied] of expected) {
      const dry = await run([file(rows)]);
      assert.deepEqual([dry.code, ...dry.lines.slice(0, -1)], [1, ...dryRun]);
      const real = await run([file(rows), '--apply']);
      assert.equal(real.code, 1);
      for (const line of applied)
        assert.ok(
          real.lines.some((one) => one.startsWith(line)),
          real.lines.join('\n'),
        );
      assert.equal(
        real.lines.filter((line) => line.includes('refused:')).length,
        dryRun.filter((line) => line.includes('refused:')).length,
      );
    }
  });

  it('ends with a sentence if it cannot import the file', async () => {
    const good = file('name,url\nRopes,https://x.example\n', 'good.csv');
    const known = 'name, url, description, featuredApiIds, organizationLogoFileId, contactName, contactEmail, ';
    const latin1 = Buffer.from('name,url\nM\u00fcller,x\n', 'latin1');
    const cases: [string[], object, RegExp][] = [
      [[file('name,owner,size\n', '1.csv')], {}, new RegExp(`unknown columns "owner", "size". Known are: ${known}`)],
      [
        [file('name,organization,owner\n', '2.csv')],
        {},
        /unknown column "owner". Known are: organization, name, url, /,
      ],
      [[file('name,name\n', '3.csv')], {}, /two columns with the name "name"/],
      [[file('', '4.csv')], {}, /no column name/],
      [[file('name,url\n"Ropes,x\n', '5.csv')], {}, /Quote Not Closed/],
      [[file(latin1, '6.csv')], {}, /not in UTF-8/],
      [[join(folder, 'none.csv')], {}, /none\.csv/],
      [[], {}, /^Name one file: npm run import:csv -- /],
      [[good, '--delete'], {}, /'--delete'/],
      [[good], { ROSTER_KEY: '' }, /^ROSTER_KEY is not set/],
      [[good], { ROSTER_KEY: `roster_${'0'.repeat(49)}` }, /API key/],
      [[good], { ROSTER: 'roster' }, /^ROSTER must be/],
      [[good], { ROSTER: 'http://127.0.0.1:9' }, /^fetch failed/],
    ];
    const runs = cases.map(([args, settings]) => run(args, settings));
    for (const [index, { code, lines, errors }] of (await Promise.all(runs)).entries()) {
      assert.deepEqual([code, lines], [2, []]);
      assert.match(errors, cases[index]![2]);
    }
  });
});
