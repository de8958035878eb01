import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { after, before, describe, it } from 'node:test';
import { ImportProgram } from './import-program.ts';
import { ADA } from './program-world.ts';

const TEMPLATES = join(import.meta.dirname, '../../examples/csv');
const EXPORT = join(import.meta.dirname, '../typescript/examples/export-csv/export-csv.ts');
const HEADER = 'consumer,organization,api,note';

describe('the import of a spreadsheet of Consumers', () => {
  const world = new ImportProgram();
  let ofAda: { ROSTER_KEY: string };
  before(async () => {
    await world.start();
    await world.admin.users.createOrUpdate(ADA);
    ofAda = { ROSTER_KEY: await world.keyOf(await world.loggedIn(ADA), ADA.password) };
    for (const name of ['organizations.csv', 'apis.csv']) await world.import([join(TEMPLATES, name), '--apply']);
  });
  after(() => world.stop());

  const rows = (...lines: string[]) => world.file([HEADER, ...lines, ''].join('\n'));
  const notes = async (api: string) => {
    const { _id: id } = (await world.api(api))!;
    const { data } = await world.admin.get('/apis/{id}/consumers', { params: { path: { id } } });
    return Object.fromEntries(data.map(({ name, note }) => [name, note]));
  };

  it('imports the template once, and writes nothing without --apply', async () => {
    const template = join(TEMPLATES, 'consumers.csv');
    const dry = await world.import([template]);
    const would =
      '2 would be created, 0 would be updated, 0 unchanged, 0 refused. Nothing was written; --apply writes.';
    assert.deepEqual([dry, world.writes()], [{ code: 0, lines: [would], errors: '' }, []]);
    assert.deepEqual((await world.import([template, '--apply'])).lines, [
      'row 2: created: Harbour Office: Miller & Sons: Net Sizes',
      'row 3: created: Miller & Sons: Harbour Office: Arrivals',
      '2 created, 0 updated, 0 unchanged, 0 refused.',
    ]);
    assert.deepEqual(await notes('Net Sizes'), { 'Harbour Office': 'Tells boats which nets to bring.' });
    const again = await world.import([template, '--apply']);
    assert.deepEqual([again.lines, world.writes()], [['0 created, 0 updated, 2 unchanged, 0 refused.'], []]);
  });

  it('finds both Organizations and the API by name, slug, old slug and id, in columns of other names', async () => {
    const [nets, sizes] = [(await world.organization('Miller & Sons'))!, (await world.api('Net Sizes'))!];
    await world.admin.apis.update(sizes._id, { name: 'Sizes' });
    const cells = [
      ['HARBOUR  OFFICE', nets._id, 'SIZES'],
      ['Harbour-Office', 'miller-sons', sizes._id],
      [(await world.organization('Harbour Office'))!._id, 'Miller & Sons', 'net-sizes'],
    ];
    for (const [index, row] of cells.entries()) {
      const text = `User;Organization;API;Note\n${[...row, `Note ${index}`].join(';')}\n`;
      const { lines, errors } = await world.import([world.file(text), '--apply', '--map', 'user=consumer']);
      assert.deepEqual([lines[0], errors], [`row 2: updated: ${row.join(': ').replace('  ', ' ')} (note)`, '']);
    }
    const kept = await world.import([rows('harbour-office,miller-sons,sizes,'), '--apply']);
    assert.deepEqual([kept.lines.length, await notes('Sizes')], [1, { 'Harbour Office': 'Note 2' }]);
  });

  it('changes nothing with an export, also if names are formulas, ids or shared by two APIs', async () => {
    const { _id: id } = (await world.organization('Harbour Office'))!;
    const names = ['=1+1', id.toUpperCase(), '007', 'harbours'];
    for (const [index, name] of names.entries()) {
      const { data: organization } = await world.admin.organizations.createOrUpdate({ name });
      const api = { organizationId: organization._id, name: names[(index + 1) % 2]! };
      const { data } = await world.admin.apis.createOrUpdate(api);
      const note = [`${name}\nline "two";\n\t=3`, ''][index % 2]!;
      await world.admin.consumersOf(data._id).createOrUpdate({ organizationId: organization._id, note });
    }
    const file = world.path('Consumers 2026.csv');
    const { code, output, errors } = await world.run(execPath, [EXPORT, file]);
    assert.deepEqual([code, errors], [0, '']);
    assert.match(output, /has 6 Consumers\./);
    const [header, ...lines] = readFileSync(file, 'utf8').split('\n');
    assert.deepEqual([header, lines.length], [`\ufeff${HEADER}`, 6 + 2 * 2 + 1]);
    const imported = await world.import([file, '--apply']);
    assert.deepEqual([imported.lines, world.writes()], [['0 created, 0 updated, 6 unchanged, 0 refused.'], []]);
  });

  it('refuses unknown names and duplicate Consumers before the first write', async () => {
    const file = rows(
      'harbours,Harbour Office,Arrivals,New.',
      'Nobody,Harbour Office,Nothing,',
      'Harbour Office,,Arrivals,',
      'harbours,harbour-office,ARRIVALS,Another.',
      'harbours,Miller & Sons,Arrivals,',
    );
    const refused = [
      'row 3: refused: Nobody: Harbour Office: Nothing ('.concat(
        'consumer must be the name, slug or id of an Organization: "Nobody", 6 characters; ',
        'api must be the name, slug or id of an API of the Organization: "Nothing", 7 characters)',
      ),
      'row 4: refused: Harbour Office: Arrivals (organization is required)',
      'row 5: refused: harbours: harbour-office: ARRIVALS (row 2 above is the same Consumer)',
      'row 6: refused: harbours: Miller & Sons: Arrivals ('.concat(
        'api must be the name, slug or id of an API of the Organization: "Arrivals", 8 characters)',
      ),
    ];
    const dry = await world.import([file]);
    assert.deepEqual(dry.lines.slice(0, 5), [...refused, dry.lines[4]]);
    assert.match(dry.lines[4]!, /^1 would be created, .* 4 refused\./);
    const applied = await world.import([file, '--apply']);
    assert.deepEqual(applied.lines.slice(0, 5), [...refused, 'row 2: created: harbours: Harbour Office: Arrivals']);
    assert.deepEqual([dry.code, applied.code, world.writes().length], [1, 1, 1]);
    const { errors } = await world.import([world.file('consumer,organization,note\n')]);
    assert.match(errors, /^rows\.csv has no column api; its first row must name the columns\.$/m);
  });

  it('refuses what the account may not do, and a note that is too long, with and without --apply', async () => {
    const ada = await world.loggedIn(ADA);
    const { data: own } = await ada.organizations.createOrUpdate({ name: 'Of Ada' });
    await ada.apis.createOrUpdate({ organizationId: own._id, name: 'Mine', isPublic: true });
    const { _id: organizationId } = (await world.organization('Miller & Sons'))!;
    const closed = { organizationId, name: 'Closed', isPublic: true, acceptsConsumers: false };
    const { data: api } = await world.admin.apis.createOrUpdate(closed);
    await world.admin.consumersOf(api._id).createOrUpdate({ organizationId, note: 'Ours.' });
    const file = rows(
      ...['Harbour Office,Of Ada,Mine,', 'Of Ada,Miller & Sons,Sizes,', 'Harbour Office,Miller & Sons,Sizes,Theirs.'],
      ...['harbours,Miller & Sons,Sizes,', 'Of Ada,Miller & Sons,Closed,', 'Miller & Sons,Miller & Sons,Closed,Mine.'],
      ...[`Of Ada,Of Ada,Mine,${'n'.repeat(501)}`, 'Of Ada,Harbour Office,Arrivals,'],
    );
    const isRefusal = (line: string) => line.includes(' refused: ');
    const dry = await world.import([file], ofAda);
    const applied = await world.import([file, '--apply'], ofAda);
    const consumer = 'Only a Manager of the Consumer who may read the API or an Admin may do this.';
    const neither =
      'Only a Manager of the Organization that the body names, a Manager of the API or an Admin may do this.';
    const shown = dry.lines.filter(isRefusal).map((line) => line.replace(/: "n.*(?=\)$)/, ''));
    assert.deepEqual(shown, [
      'row 9: refused: Of Ada: Harbour Office: Arrivals ('.concat(
        'api must be the name, slug or id of an API of the Organization: "Arrivals", 8 characters)',
      ),
      `row 4: refused: Harbour Office: Miller & Sons: Sizes (${consumer})`,
      `row 5: refused: harbours: Miller & Sons: Sizes (${neither})`,
      'row 6: refused: Of Ada: Miller & Sons: Closed (Only a Manager of its Organization or an Admin may do this.)',
      `row 7: refused: Miller & Sons: Miller & Sons: Closed (${consumer})`,
      'row 8: refused: Of Ada: Of Ada: Mine (note must be at most 500 characters long)',
    ]);
    assert.deepEqual(applied.lines.filter(isRefusal), dry.lines.filter(isRefusal));
    assert.ok(dry.lines.some((line) => line.startsWith('2 would be created, 0 would be updated, 0 unchanged, 6')));
    assert.ok(applied.lines.includes('2 created, 0 updated, 0 unchanged, 6 refused.'));
  });
});
