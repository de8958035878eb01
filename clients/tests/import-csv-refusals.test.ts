import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, beforeEach, describe, it } from 'node:test';
import { ImportProgram } from './import-program.ts';
import { ADA } from './program-world.ts';

describe('the import of a spreadsheet', () => {
  const world = new ImportProgram();
  before(async () => {
    await world.start();
    await world.admin.organizations.createOrUpdate({ name: 'Miller & Sons', url: 'https://miller.example' });
  });
  beforeEach(() => (world.proxy.before = async () => undefined));
  after(() => world.stop());

  /** Refused rows in the words of both runs. @returns the lines between the first and the totals */
  async function refusals(rows: string): Promise<string[]> {
    const dry = await world.import([world.file(rows)]);
    assert.deepEqual(world.writes(), []);
    const applied = await world.import([world.file(rows), '--apply']);
    const isAbout = (line: string) => / refused: |^\d+ × /.test(line);
    assert.deepEqual(dry.lines.filter(isAbout), applied.lines.filter(isAbout));
    assert.deepEqual([dry.code, applied.code], [1, 1]);
    return dry.lines.filter(isAbout);
  }

  it('refuses rows one by one, with the rules and the words of Roster in both runs', async () => {
    const form = 'must be an http or https URL with a host and without credentials';
    assert.deepEqual(
      await refusals(
        'name,url\nRopes,nowhere\nSails,x.example\n,https://x.example\n#NAME?,#N/A\n'.concat(
          'Oars,https://x.example,no,column\nBig,https://x.example\n',
        ),
      ),
      [
        `row 2: refused: Ropes (url ${form}: "nowhere", 7 characters)`,
        `row 3: refused: Sails (url ${form}: "x.example", 9 characters)`,
        'row 4: refused: (name is required)',
        'row 5: refused: #NAME? (name has the error #NAME? of the spreadsheet)',
        'row 6: refused: Oars (column C has a value, but no name)',
        `2 × url ${form}`,
        '1 × name is required',
        '1 × name has the error #NAME? of the spreadsheet',
        '1 × column C has a value, but no name',
      ],
    );
    const apis = await refusals(
      'organization,name,url,isPublic,lifecycleStatus,tags,contactName\nNobody,Prices,https://x.example,,,,\n'.concat(
        `,Prices,https://x.example,,,,\nMiller & Sons,Prices,https://x.example,yes,old\u200b,a Not_A_Tag,${'A'.repeat(101)}\n`,
        'Miller & Sons,Nets,https://x.example,,,a a,\n',
      ),
    );
    assert.deepEqual(apis.slice(0, 4), [
      'row 2: refused: Nobody: Prices (organization must be the name, slug or id of an Organization: "Nobody", 6 characters)',
      'row 3: refused: Prices (organization is required)',
      'row 4: refused: Miller & Sons: Prices ('.concat(
        'lifecycleStatus must be one of: design, development, testing, production, deprecated: "old<U+200B>", 4 characters; ',
        `isPublic must be true or false: "yes", 3 characters; `,
        `contactName must be at most 100 characters long: "${'A'.repeat(60)}…", 101 characters; `,
        'tags must have 1 to 40 characters of a–z, 0–9 and -: "Not_A_Tag", 9 characters)',
      ),
      'row 5: refused: Miller & Sons: Nets (tags contains the same item twice: "a", 1 character)',
    ]);
  });

  it('refuses a row whose _id or externalId is another record than its name', async () => {
    const { _id } = (await world.organization('Miller & Sons'))!;
    const { data } = await world.admin.organizations.createOrUpdate({ name: 'Taken', externalId: 'taken' });
    const ids = ['0'.repeat(24), _id, '', '', data._id] as const;
    const rows = ['Nobody,', 'TAKEN,', 'New,new', 'Newer,new', 'Taken again,taken'];
    const lines = await refusals(
      `_id,name,externalId\n${rows.map((row, n) => `${ids[n]},${row}\n`).join('')},X,taken\n`,
    );
    assert.deepEqual(lines.slice(0, 4), [
      `row 2: refused: Nobody (_id is not the id of a record that you may read: "${ids[0]}", 24 characters)`,
      'row 3: refused: TAKEN (An Organization with this name already exists.)',
      'row 5: refused: Newer (row 4 above has this externalId)',
      'row 7: refused: X (row 6 above has this externalId)',
    ]);
    const api = await world.admin.apis.createOrUpdate({ name: 'Nets', organizationId: _id });
    const [moved] = await refusals(`_id,organization,name\n${api.data._id},Taken again,Nets\n`);
    assert.match(moved!, /\(organization is another one than that of the API, which stays in its Organization\)/);
    const other = `_id,name,externalId\n${_id},Miller & Sons,taken\n`;
    const [taken] = await refusals(other);
    assert.match(taken!, /\(An Organization with this externalId already exists\.\)/);
  });

  it('refuses the errors of spreadsheets in any language', async () => {
    const errors = ['#DIV/0!', '#¡REF!', '#¿NOMBRE?', '#N/D', '#Н/Д', '#VÆRDI!', '#NV', '#YOK', 'Err:502', '#####'];
    const rows = errors.map((error, index) => `E${index},${error}\n`).join('');
    assert.deepEqual(
      (await refusals(`name,description\n${rows}`)).slice(0, errors.length),
      errors.map(
        (error, index) =>
          `row ${index + 2}: refused: E${index} (description has the error ${error} of the spreadsheet)`,
      ),
    );
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
    await world.admin.users.createOrUpdate(ADA);
    const of = { ROSTER_KEY: await world.keyOf(await world.loggedIn(ADA), ADA.password) };
    for (const [rows, name] of [
      ['name,url\nMiller & Sons,https://other.example\n', 'Miller & Sons'],
      ['organization,name,url\nMiller & Sons,Other,https://o.example\n', 'Miller & Sons: Other'],
    ] as const)
      for (const flags of [[], ['--apply']]) {
        const { lines } = await world.import([world.file(rows), ...flags], of);
        const line = `row 2: refused: ${name} (Only a Manager of this Organization or an Admin may do this.)`;
        assert.ok(lines.includes(line), lines.join('\n'));
      }
    for (const name of ['Of Ada', 'Another of Ada'])
      for (const flags of [[], ['--apply']]) {
        const { lines } = await world.import([world.file(`name,externalId\n${name},x\n`), ...flags], of);
        assert.equal(lines[1], `row 2: refused: ${name} (Only an Admin may set an externalId.)`);
        if (flags[0]) await (await world.loggedIn(ADA)).organizations.createOrUpdate({ name: 'Another of Ada' });
      }
  });

  it('refuses a row with a stray quotation mark and saves the others; --refused keeps it to be corrected', async () => {
    const rows =
      'name,url,description\nQ1,https://1.example,"a ""b"" c"\nQ2,https://2.example,"open\nQ3,https://3.example,c "d" e\nQ4,https://4.example,"f"\n';
    const corrected = world.path('refused.csv');
    const { code, lines } = await world.import([world.file(rows), '--apply', '--refused', corrected]);
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
    const refused = readFileSync(corrected, 'utf8');
    assert.deepEqual(refused.split('\n'), [
      '\ufeffrefused,name,url,description',
      `${reason},Q2,https://2.example,"""open"`,
      `${reason},Q3,https://3.example,"c ""d"" e"`,
      '',
    ]);
    const again = await world.import([
      world.file(refused.replace('"""open"', 'open'), 'corrected.csv'),
      '--apply',
      '--refused',
      corrected,
    ]);
    assert.deepEqual([again.code, again.lines.at(-1)], [0, '2 created, 0 updated, 0 unchanged, 0 refused.']);
    assert.equal(readFileSync(corrected, 'utf8'), '\ufeffrefused,name,url,description\n');
    assert.equal((await world.organization('Q3'))?.description, 'c "d" e');
  });

  it('shows no control character of a cell', async () => {
    const { lines, errors } = await world.import([
      world.file('name,url\n"\u001b[31mRed\u0007\u202e",https://x.example\n'),
    ]);
    assert.match(lines[1]!, /^row 2: refused: <U\+001B>\[31mRed<U\+0007><U\+202E> \(name /);
    assert.doesNotMatch(lines.join('') + errors, /[\u001b\u0007\u202e]/);
    const header = await world.import([world.file('name,\u001b[31m\n')]);
    assert.match(header.errors, /unknown column "<U\+001B>\[31m"/);
  });

  it('says what was done if it cannot go on', async () => {
    world.proxy.before = async (request) => {
      const isSecond = request.startsWith('POST') && world.writes().length > 1;
      return isSecond ? Response.json({ status: 'fail', code: 1000, message: 'Broken.' }, { status: 500 }) : undefined;
    };
    const { code, lines, errors } = await world.import([
      world.file('name,url\nOne,https://1.example\nTwo,https://2.example\n'),
      '--apply',
    ]);
    assert.deepEqual(
      [code, lines.slice(1), errors],
      [2, ['row 2: created: One', '1 created, 0 updated, 0 unchanged, 0 refused.'], 'Broken.\n'],
    );
  });

  it('ends with a sentence if it cannot import the file', async () => {
    const good = world.file('name,url\nRopes,https://x.example\n', 'good.csv');
    const known = 'name, url, description, featuredApiIds, organizationLogoFileId, contactName, contactEmail, ';
    const latin1 = Buffer.from('name,url\nM\u00fcller,x\n', 'latin1');
    const zip = (first: string) => `PK\x03\x04\x14${'\0'.repeat(25)}${first}`;
    const cases: [string[], object, RegExp][] = [
      [
        [world.file('name,owner,size\n', '1.csv')],
        {},
        new RegExp(`unknown columns "owner", "size". Known are: ${known}`),
      ],
      [
        [world.file('name,tags\n', '7.csv')],
        {},
        /unknown column "tags"\. .* For APIs, add the column organization\.$/m,
      ],
      [[good, '--refused', good], {}, /^--refused must name another file/],
      [[good, '--refused', world.path('no', 'folder.csv')], {}, /ENOENT.*folder\.csv/],
      [
        [world.file('name,organization,owner\n', '2.csv')],
        {},
        /unknown column "owner". Known are: organization, name, url, /,
      ],
      [[world.file('name,Name\n', '3.csv')], {}, /two columns with the name "name"/],
      [[world.file('', '4.csv')], {}, /no column name/],
      [
        [world.file('name,"url\nRopes,x\n', '5.csv')],
        {},
        /^5\.csv, row 1: column B has a quotation mark too many or too few/,
      ],
      [[world.file(latin1, '6.csv')], {}, /^6\.csv is not in UTF-8\. In Excel, .*; in LibreOffice .*"Unicode/],
      [[world.file(zip('[Content'), '8.csv')], {}, /^8\.csv is an Excel workbook \(\.xlsx\), not CSV\. In Excel/],
      [
        [world.file(zip('mimetypeapplication/vnd.oasis.opendocument'), '9.csv')],
        {},
        /^9\.csv is a LibreOffice spreadsheet \(\.ods\), not CSV/,
      ],
      [[good, '--map', 'name'], {}, /^--map must be/],
      [[good, '--map', 'Owner=organization'], {}, /^The file has no column "Owner" to map\.$/m],
      [[good, '--map', 'url=owner'], {}, /unknown column "owner"\. Known are: .* add --map "owner"=/],
      [[world.path('none.csv')], {}, /none\.csv/],
      [[], {}, /^Name one file: npm run import:csv -- /],
      [[good, '--delete'], {}, /'--delete'/],
      [[good], { ROSTER_KEY: '' }, /^ROSTER_KEY is not set/],
      [[good], { ROSTER_KEY: `roster_${'0'.repeat(49)}` }, /API key/],
      [[good], { ROSTER_KEY: 'ключ' }, /^ROSTER_KEY must be an API key/],
      [[good], { ROSTER: 'https://roster.example/docs#/' }, /^ROSTER must be/],
      [[good], { ROSTER: 'http://127.0.0.1:9' }, /^fetch failed/],
    ];
    const runs = cases.map(([args, settings]) => world.import(args, settings));
    for (const [index, { code, lines, errors }] of (await Promise.all(runs)).entries()) {
      assert.deepEqual([code, lines], [2, []]);
      assert.match(errors, cases[index]![2]);
    }
  });
});
