import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
const ORGANIZATIONS =
  'These are Organizations. With a column organization, they would be APIs of the Organizations that it names.';
const NOT_WRITTEN = 'Nothing was written; --apply writes.';

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
    for (const [name, rows, first] of [
      ['organizations.csv', ['Miller & Sons', 'Harbour Office'], [ORGANIZATIONS]],
      ['apis.csv', ['Miller & Sons: Net Sizes', 'Harbour Office: Arrivals'], []],
    ] as const) {
      const template = join(TEMPLATES, name);
      const report = (outcome: string, last: string) => [
        ...first,
        ...rows.map((row, n) => `row ${n + 2}: ${outcome}: ${row}`),
        last,
      ];
      const dry = await run([template], {}, NPM_SCRIPT);
      const would = `2 would be created, 0 would be updated, 0 unchanged, 0 refused. ${NOT_WRITTEN}`;
      assert.deepEqual([dry.code, dry.lines], [0, report('would be created', would)]);
      assert.deepEqual(writes(), []);
      const created = await run([template, '--apply']);
      const done = '2 created, 0 updated, 0 unchanged, 0 refused.';
      assert.deepEqual(created, { code: 0, lines: report('created', done), errors: '' });
      const reads = ['GET /users/me', 'GET /organizations', ...(first.length > 0 ? [] : ['GET /apis'])];
      assert.deepEqual([proxy.sent.slice(0, reads.length), proxy.sent.length], [reads, reads.length + 2]);
      const unchanged = '0 created, 0 updated, 2 unchanged, 0 refused.';
      assert.deepEqual((await run([template, '--apply'])).lines, [...first, unchanged]);
      assert.deepEqual(writes(), []);
      assert.deepEqual((await run([template, '--apply', '--verbose'])).lines, report('unchanged', unchanged));
    }
    assert.equal((await organization('Miller & Sons'))?.description, 'We make nets,\nand repair them.');
    const { tags, isPublic, lifecycleStatus } = (await api('Net Sizes'))!;
    assert.deepEqual([tags, isPublic, lifecycleStatus], [['fishing', 'nets'], true, 'production']);
  });

  it('reads what Excel writes: a byte order mark, semicolons, CRLF, quoted cells, empty rows and columns', async () => {
    const rows = [
      'Organization;;name;Tags;is Public;;',
      '"Harbour Office";;Arrivals;"quay;berth, ships";TRUE;;',
      ';;;;;;',
      '',
    ];
    const { lines } = await run([file(`\ufeffsep=;\r\n${rows.join('\r\n')}`), '--apply']);
    assert.deepEqual(lines, [
      'row 2: updated: Harbour Office: Arrivals (tags, isPublic)',
      '0 created, 1 updated, 0 unchanged, 0 refused.',
    ]);
    const { tags, isPublic, lifecycleStatus } = (await api('Arrivals'))!;
    assert.deepEqual([tags, isPublic, lifecycleStatus], [['berth', 'quay', 'ships'], true, 'testing']);
  });

  it('keeps rows apart whose lines end in different ways', async () => {
    const rows =
      'name,url,description\r\nNorth,https://n.example,"a\rb\r\nc"\nSouth,https://s.example,d\rEast,https://e.example,e';
    const { code, lines } = await run([file(rows), '--apply']);
    assert.deepEqual([code, lines.at(-1)], [0, '3 created, 0 updated, 0 unchanged, 0 refused.']);
    const found = await Promise.all(['North', 'South', 'East'].map(organization));
    assert.deepEqual(
      found.map((one) => one?.description),
      ['a\nb\nc', 'd', 'e'],
    );
  });

  it('updates what differs, also where a name is in other letters, and keeps what empty cells leave out', async () => {
    const rows =
      'name,url,contactName\nHARBOUR OFFICE,https://harbour.example,\nMiller & Sons,https://nets.example,Ada\n';
    const dry = await run([file(rows)]);
    const applied = await run([file(rows), '--apply']);
    const updated = ['row 2: updated: HARBOUR OFFICE (name)', 'row 3: updated: Miller & Sons (url, contactName)'];
    assert.deepEqual(applied.lines.slice(1, 3), updated);
    assert.deepEqual(
      dry.lines.slice(1, 3),
      updated.map((line) => line.replace('updated', 'would be updated')),
    );
    assert.deepEqual([applied.code, writes().length], [0, 2]);
    assert.equal((await organization('Harbour Office'))?.contactEmail, 'office@harbour.example');
  });

  it('finds the Organization of an API by its slug too, also by an old one', async () => {
    const rows = ['miller-sons', 'harbour-office'].map((slug) => `${slug},Tides,https://t.example\n`).join('');
    const { _id } = (await organization('Harbour Office'))!;
    await admin.organizations.update(_id, { name: 'Port' });
    const { lines } = await run([file(`organization,name,url\n${rows}`), '--apply']);
    assert.deepEqual(lines.at(-1), '2 created, 0 updated, 0 unchanged, 0 refused.');
    assert.equal(proxy.sent.filter((request) => request === 'GET /organizations').length, 2);
    await admin.organizations.update(_id, { name: 'Harbour Office' });
  });

  /** Refused rows in the words of both runs. @returns the lines between the first and the totals */
  async function refusals(rows: string): Promise<string[]> {
    const dry = await run([file(rows)]);
    assert.deepEqual(writes(), []);
    const applied = await run([file(rows), '--apply']);
    const isAbout = (line: string) => / refused: |^\d+ × /.test(line);
    assert.deepEqual(dry.lines.filter(isAbout), applied.lines.filter(isAbout));
    assert.deepEqual([dry.code, applied.code], [1, 1]);
    return dry.lines.filter(isAbout);
  }

  it('refuses rows one by one, with the rules and the words of Roster in both runs', async () => {
    const form = 'must be an http or https URL with a host and without credentials';
    assert.deepEqual(
      await refusals(
        'name,url\nRopes,nowhere\nRopes too,no\u200bwhere\nSails,\n,https://x.example\n#NAME?,#N/A\n'.concat(
          'Oars,https://x.example,no,column\nBig,https://x.example\n',
        ),
      ),
      [
        `row 2: refused: Ropes (url ${form}: "nowhere", 7 characters)`,
        `row 3: refused: Ropes too (url ${form}: "no<U+200B>where", 8 characters)`,
        'row 4: refused: Sails (url is required)',
        'row 5: refused: (name is required)',
        'row 6: refused: #NAME? (name has the error #NAME? of the spreadsheet)',
        'row 7: refused: Oars (column C has a value, but no name)',
        `2 × url ${form}`,
        '1 × url is required',
        '1 × name is required',
        '1 × name has the error #NAME? of the spreadsheet',
        '1 × column C has a value, but no name',
      ],
    );
    const apis = await refusals(
      'organization,name,url,isPublic,lifecycleStatus,tags,contactName\nNobody,Prices,https://x.example,,,,\n'.concat(
        `,Prices,https://x.example,,,,\nMiller & Sons,Prices,https://x.example,yes,old,a Not-A-Tag,${'A'.repeat(101)}\n`,
        'Miller & Sons,Nets,https://x.example,,,a a,\n',
      ),
    );
    assert.deepEqual(apis.slice(0, 4), [
      'row 2: refused: Nobody: Prices (organization must be the name or the slug of an Organization: "Nobody", 6 characters)',
      'row 3: refused: Prices (organization is required)',
      'row 4: refused: Miller & Sons: Prices ('.concat(
        'lifecycleStatus must be one of: design, development, testing, production, deprecated: "old", 3 characters; ',
        `isPublic must be true or false: "yes", 3 characters; `,
        `contactName must be at most 100 characters long: "${'A'.repeat(60)}…", 101 characters; `,
        'tags must have 1 to 40 characters of a–z, 0–9 and -: "Not-A-Tag", 9 characters)',
      ),
      'row 5: refused: Miller & Sons: Nets (tags contains the same item twice: "a", 1 character)',
    ]);
  });

  it('refuses rows whose names are one for Roster', async () => {
    const names = ['Twin - A', 'Twin – A', 'Twin  -  A', 'TWIN - A'];
    const rows = names.map((name) => `${name},https://t.example\n`).join('');
    const twins = [3, 4, 5].map(
      (number, index) => `row ${number}: refused: ${names[index + 1]?.replace(/ +/g, ' ')} (row 2 above has this name)`,
    );
    assert.deepEqual(await refusals(`name,url\n${rows}`), [...twins, '3 × row 2 above has this name']);
    const apis = ['Miller & Sons,Twin', 'miller-sons,twin'].map((row) => `${row},https://t.example\n`).join('');
    assert.equal(
      (await refusals(`organization,name,url\n${apis}`))[0],
      'row 3: refused: miller-sons: twin (row 2 above has this name)',
    );
  });

  it('refuses in the dry run what the account may not do', async () => {
    const ada = { username: 'ada', companyName: 'Nets', email: 'ada@nets.example', password: 'many busy hands' };
    await admin.users.createOrUpdate(ada);
    const client = new RosterClient({ baseUrl: service.address });
    await client.logIn({ username: ada.username, password: ada.password });
    const body = { name: 'spreadsheets', scope: 'write' as const, currentPassword: ada.password };
    const { data } = await client.post('/users/{id}/api-keys', { params: { path: { id: 'me' } }, body });
    const of = { ROSTER_KEY: data.key };
    for (const [rows, name] of [
      ['name,url\nMiller & Sons,https://other.example\n', 'Miller & Sons'],
      ['organization,name,url\nMiller & Sons,Other,https://o.example\n', 'Miller & Sons: Other'],
    ] as const)
      for (const flags of [[], ['--apply']]) {
        const { lines } = await run([file(rows), ...flags], of);
        const line = `row 2: refused: ${name} (Only a Manager of this Organization or an Admin may do this.)`;
        assert.ok(lines.includes(line), lines.join('\n'));
      }
  });

  it('refuses a row with a stray quotation mark and saves the others; --refused keeps it to be mended', async () => {
    const rows =
      'name,url,description\nQ1,https://1.example,"a ""b"" c"\nQ2,https://2.example,"open\nQ3,https://3.example,c "d" e\nQ4,https://4.example,"f"\n';
    const mended = join(folder, 'refused.csv');
    const { code, lines } = await run([file(rows), '--apply', '--refused', mended]);
    const reason = 'column C has a quotation mark too many or too few';
    assert.deepEqual(
      [code, ...lines.slice(1)],
      [
        1,
        'row 2: created: Q1',
        `row 3: refused: Q2 (${reason})`,
        `row 4: refused: Q3 (${reason})`,
        'row 5: created: Q4',
        '2 created, 0 updated, 0 unchanged, 2 refused.',
        `2 × ${reason}`,
      ],
    );
    const refused = readFileSync(mended, 'utf8');
    assert.deepEqual(refused.split('\n'), [
      '\ufeffrefused,name,url,description',
      `${reason},Q2,https://2.example,"""open"`,
      `${reason},Q3,https://3.example,"c ""d"" e"`,
      '',
    ]);
    const again = await run([file(refused.replace('"""open"', 'open'), 'mended.csv'), '--apply', '--refused', mended]);
    assert.deepEqual([again.code, again.lines.at(-1)], [0, '2 created, 0 updated, 0 unchanged, 0 refused.']);
    assert.equal(readFileSync(mended, 'utf8'), '\ufeffrefused,name,url,description\n');
    assert.equal((await organization('Q3'))?.description, 'c "d" e');
  });

  it('shows no control character of a cell', async () => {
    const { lines, errors } = await run([file('name,url\n"\u001b[31mRed\u0007\u202e",https://x.example\n')]);
    assert.match(lines[1]!, /^row 2: refused: <U\+001B>\[31mRed<U\+0007><U\+202E> \(name /);
    assert.doesNotMatch(lines.join('') + errors, /[\u001b\u0007\u202e]/);
    const header = await run([file('name,\u001b[31m\n')]);
    assert.match(header.errors, /unknown column "<U\+001B>\[31m"/);
  });

  it('says what was done if it cannot go on', async () => {
    proxy.before = async (request) => {
      const isSecond = request.startsWith('POST') && writes().length > 1;
      return isSecond ? Response.json({ status: 'fail', code: 1000, message: 'Broken.' }, { status: 500 }) : undefined;
    };
    const { code, lines, errors } = await run([
      file('name,url\nOne,https://1.example\nTwo,https://2.example\n'),
      '--apply',
    ]);
    proxy.before = async () => undefined;
    assert.deepEqual(
      [code, lines.slice(1), errors],
      [2, ['row 2: created: One', '1 created, 0 updated, 0 unchanged, 0 refused.'], 'Broken.\n'],
    );
  });

  it('ends with a sentence if it cannot import the file', async () => {
    const good = file('name,url\nRopes,https://x.example\n', 'good.csv');
    const known = 'name, url, description, featuredApiIds, organizationLogoFileId, contactName, contactEmail, ';
    const latin1 = Buffer.from('name,url\nM\u00fcller,x\n', 'latin1');
    const cases: [string[], object, RegExp][] = [
      [[file('name,owner,size\n', '1.csv')], {}, new RegExp(`unknown columns "owner", "size". Known are: ${known}`)],
      [[file('name,tags\n', '7.csv')], {}, /unknown column "tags"\. .* For APIs, add the column organization\.$/m],
      [[good, '--refused', good], {}, /^--refused must name another file/],
      [[good, '--refused', join(folder, 'no', 'folder.csv')], {}, /ENOENT.*folder\.csv/],
      [
        [file('name,organization,owner\n', '2.csv')],
        {},
        /unknown column "owner". Known are: organization, name, url, /,
      ],
      [[file('name,Name\n', '3.csv')], {}, /two columns with the name "name"/],
      [[file('', '4.csv')], {}, /no column name/],
      [
        [file('name,"url\nRopes,x\n', '5.csv')],
        {},
        /^5\.csv, row 1: column B has a quotation mark too many or too few/,
      ],
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
