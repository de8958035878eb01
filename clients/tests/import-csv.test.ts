import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { after, before, describe, it } from 'node:test';
import { ImportProgram, NPM_SCRIPT } from './import-program.ts';

const TEMPLATES = join(import.meta.dirname, '../../examples/csv');
const ORGANIZATIONS =
  'These are Organizations. With a column organization, they would be APIs of the Organizations that it names.';
const NOT_WRITTEN = 'Nothing was written; --apply writes.';

describe('the import of a spreadsheet', () => {
  const world = new ImportProgram();
  before(() => world.start());
  after(() => world.stop());

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
      const would = `2 would be created, 0 would be updated, 0 unchanged, 0 refused. ${NOT_WRITTEN}`;
      const dry = await world.import([template], {}, NPM_SCRIPT);
      assert.deepEqual([dry.code, dry.lines], [0, [...first, would]]);
      assert.deepEqual((await world.import([template, '--verbose'])).lines, report('would be created', would));
      assert.deepEqual(world.writes(), []);
      const created = await world.import([template, '--apply']);
      const done = '2 created, 0 updated, 0 unchanged, 0 refused.';
      assert.deepEqual(created, { code: 0, lines: report('created', done), errors: '' });
      const reads = ['GET /users/me', 'GET /organizations', ...(first.length > 0 ? [] : ['GET /apis'])];
      assert.deepEqual([world.proxy.sent.slice(0, reads.length), world.proxy.sent.length], [reads, reads.length + 2]);
      const unchanged = '0 created, 0 updated, 2 unchanged, 0 refused.';
      assert.deepEqual((await world.import([template, '--apply'])).lines, [...first, unchanged]);
      assert.deepEqual(world.writes(), []);
      assert.deepEqual((await world.import([template, '--apply', '--verbose'])).lines, report('unchanged', unchanged));
    }
    assert.equal((await world.organization('Miller & Sons'))?.description, 'We make nets,\nand repair them.');
    const { tags, isPublic, lifecycleStatus } = (await world.api('Net Sizes'))!;
    assert.deepEqual([tags, isPublic, lifecycleStatus], [['fishing', 'nets'], true, 'production']);
  });

  it('reads what Excel writes: a byte order mark, semicolons, CRLF, quoted cells, empty rows and columns', async () => {
    const rows = [
      'Organization;;name;Tags;is Public;;',
      '"Harbour Office";;Arrivals;"quay;berth, ships";TRUE;;',
      ';;;;;;',
      '',
    ];
    const { lines } = await world.import([world.file(`\ufeffsep=;\r\n${rows.join('\r\n')}`), '--apply']);
    assert.deepEqual(lines, [
      'row 2: updated: Harbour Office: Arrivals (tags, isPublic)',
      '0 created, 1 updated, 0 unchanged, 0 refused.',
    ]);
    const { tags, isPublic, lifecycleStatus } = (await world.api('Arrivals'))!;
    assert.deepEqual([tags, isPublic, lifecycleStatus], [['berth', 'quay', 'ships'], true, 'testing']);
  });

  it('takes words in any case where Roster has only small letters, and a column of another name', async () => {
    const rows =
      'Provider;name;Stage;definitionUrl;definitionType;tags\nharbour-office;Arrivals;PRODUCTION;https://d.example;OpenAPI;Quay, SHIPS\n';
    const map = ['--map', 'provider=organization', '--map', 'Stage=lifecycleStatus'];
    const { lines } = await world.import([world.file(rows), '--apply', ...map]);
    assert.equal(
      lines[0],
      'row 2: updated: harbour-office: Arrivals (lifecycleStatus, definitionUrl, definitionType, tags)',
    );
    const { tags, lifecycleStatus, definitionType } = (await world.api('Arrivals'))!;
    assert.deepEqual([tags, lifecycleStatus, definitionType], [['quay', 'ships'], 'production', 'openapi']);
    const again = rows.replace(';PRODUCTION', ';Gone');
    const refused = world.path('refused.csv');
    assert.match((await world.import([world.file(again), ...map, '--refused', refused])).lines[0]!, /"Gone", 4 char/);
    const corrected = world.file(readFileSync(refused, 'utf8').replace(';Gone', ';Testing'));
    assert.equal((await world.import([corrected, '--apply', ...map])).code, 0);
  });

  it('--help shows how to call it, with all options', async () => {
    for (const [program, usage] of [
      ['import-csv', /^Usage: npm run import:csv -- .* \[--apply\] \[--verbose\] \[--refused .*\] \[--map .*\]\n/],
      [
        'export-csv',
        /^Usage: npm run export:csv -- .* \[--apis \| --organizations \| --consumers\] \[--separator .*\]\n/,
      ],
    ] as const)
      assert.match((await world.run(execPath, [NPM_SCRIPT[0]!, program, '--help'])).output, usage);
  });

  it('keeps rows apart whose lines end in different ways', async () => {
    const rows =
      'name,url,description\r\nNorth,https://n.example,"a\rb\r\nc"\nSouth,https://s.example,d\rEast,https://e.example,e';
    const { code, lines } = await world.import([world.file(rows), '--apply']);
    assert.deepEqual([code, lines.at(-1)], [0, '3 created, 0 updated, 0 unchanged, 0 refused.']);
    const found = await Promise.all(['North', 'South', 'East'].map((name) => world.organization(name)));
    assert.deepEqual(
      found.map((one) => one?.description),
      ['a\nb\nc', 'd', 'e'],
    );
  });

  it('updates what differs, also where a name is in other letters, and keeps what empty cells leave out', async () => {
    const rows =
      'name,url,contactName\nHARBOUR OFFICE,https://harbour.example,\nMiller & Sons,https://nets.example,Ada\n';
    const dry = await world.import([world.file(rows), '--verbose']);
    const applied = await world.import([world.file(rows), '--apply']);
    const updated = ['row 2: updated: HARBOUR OFFICE (name)', 'row 3: updated: Miller & Sons (url, contactName)'];
    assert.deepEqual(applied.lines.slice(1, 3), updated);
    assert.deepEqual(
      dry.lines.slice(1, 3),
      updated.map((line) => line.replace('updated', 'would be updated')),
    );
    assert.deepEqual([applied.code, world.writes().length], [0, 2]);
    assert.equal((await world.organization('Harbour Office'))?.contactEmail, 'office@harbour.example');
  });

  it('keeps the fields that no column has, though a PUT without them clears them', async () => {
    const before = (await world.api('Net Sizes'))!;
    const rows = 'organization,name,description\nMiller & Sons,Net Sizes,All of them.\n';
    const { lines } = await world.import([world.file(rows), '--apply']);
    assert.equal(lines[0], 'row 2: updated: Miller & Sons: Net Sizes (description)');
    const after = (await world.api('Net Sizes'))!;
    const { etag, updatedAt } = after;
    assert.deepEqual(after, { ...before, description: 'All of them.', etag, updatedAt });
  });

  it('keeps a record that is renamed, where the row has its externalId or its _id', async () => {
    const [{ _id }, { _id: apiId }] = [(await world.organization('East'))!, (await world.api('Net Sizes'))!];
    for (const [row, line] of [
      ['East,port 1', 'row 2: updated: East (externalId)'],
      ['Eastern Port,port 1', 'row 2: updated: Eastern Port (name)'],
      ['East,Port 1', 'row 2: created: East'],
    ]) {
      const { lines } = await world.import([world.file(`name,externalId\n${row}\n`), '--apply']);
      assert.equal(lines[1], line);
    }
    assert.equal((await world.organization('Eastern Port'))?._id, _id);
    const byId = `_id,organization,name\n${apiId},Miller & Sons,Sizes of nets\n`;
    const lines = [
      'row 2: updated: Miller & Sons: Sizes of nets (name)',
      '0 created, 1 updated, 0 unchanged, 0 refused.',
    ];
    assert.deepEqual((await world.import([world.file(byId), '--apply'])).lines, lines);
    world.proxy.before = async (request) => {
      if (!request.startsWith('PUT') || world.writes().length > 1) return;
      await world.admin.apis.update(apiId, { description: 'Changed meanwhile.' });
    };
    assert.equal((await world.import([world.file(byId.replace('Sizes of nets', 'Net Sizes')), '--apply'])).code, 0);
    world.proxy.before = async () => undefined;
    const { _id: same, description } = (await world.api('Net Sizes'))!;
    assert.deepEqual([same, description], [apiId, 'Changed meanwhile.']);
  });

  it('finds the Organization of an API by its slug too, also by an old one', async () => {
    const rows = ['Miller-Sons', 'harbour-office'].map((slug) => `${slug},Tides,https://t.example\n`).join('');
    const { _id } = (await world.organization('Harbour Office'))!;
    await world.admin.organizations.update(_id, { name: 'Port' });
    const { lines } = await world.import([world.file(`organization,name,url\n${rows}`), '--apply']);
    assert.deepEqual(lines.at(-1), '2 created, 0 updated, 0 unchanged, 0 refused.');
    assert.equal(world.proxy.sent.filter((request) => request === 'GET /organizations').length, 2);
    await world.admin.organizations.update(_id, { name: 'Harbour Office' });
  });
});
