import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ADA } from './program-world.ts';
import { programs, type Summary, SyncProgram } from './sync-program.ts';

const nothing = { created: 0, updated: 0, unchanged: 0, deleted: 0, missing: [], rejected: [] };

for (const [program, runtime] of Object.entries(programs)) {
  describe(`the Consumers of ${program}`, () => {
    const world = new SyncProgram(program, runtime);
    let ofAda = {};
    before(async () => {
      await world.start();
      ofAda = { ROSTER_KEY: await world.keyOf(await world.loggedIn(ADA), ADA.password) };
    });
    after(() => world.stop());

    const tides = (consumers?: unknown[]) => ({
      ...{ name: 'Harbour', apis: [{ name: 'Tides', isPublic: true, ...(consumers && { consumers }) }] },
    });
    const shop = { name: 'Shop' };

    async function run(entries: object[], flags: string[] = [], settings = {}): Promise<Summary> {
      const { code, summary, errors } = await world.sync(JSON.stringify(entries), flags, settings);
      assert.ok(summary, errors);
      assert.deepEqual([code, errors], [summary.rejected.length > 0 ? 1 : 0, '']);
      return summary;
    }

    async function stored(): Promise<Record<string, string>> {
      const { _id: id } = (await world.stored()).apis.find(({ name }) => name === 'Tides')!;
      const { data } = await world.admin.get('/apis/{id}/consumers', { params: { path: { id } } });
      return Object.fromEntries(data.map(({ name, note }) => [name, note]));
    }

    it('are added by their names and slugs, also if the file creates them, and read once per API', async () => {
      const entries = [tides(['of-ada', { organization: 'SHOP ', note: 'Opening\u00a0hours. ' }]), shop];
      assert.deepEqual(await run(entries), { ...nothing, created: 5 });
      assert.deepEqual(await stored(), { 'Of Ada': '', Shop: 'Opening\u00a0hours.' });
      assert.deepEqual(await run(entries), { ...nothing, unchanged: 5 });
      assert.deepEqual([world.writes(), world.proxy.sent.length], [[], 4]);
    });

    it('get the notes of the file, and are removed only with --delete, and by a list without them', async () => {
      const { organizations } = await world.stored();
      const { _id } = organizations.find(({ name }) => name === 'Shop')!;
      const entries = [tides([{ organization: _id, note: 'Prices.' }]), shop];
      const missing = ['Harbour: Tides: Of Ada'];
      assert.deepEqual(await run(entries), { ...nothing, updated: 1, unchanged: 3, missing });
      assert.deepEqual(await stored(), { 'Of Ada': '', Shop: 'Prices.' });
      assert.deepEqual(await run([tides(), shop], ['--delete']), { ...nothing, unchanged: 3 });
      assert.equal((await world.sync(JSON.stringify(entries), ['--delete'])).code, 3);
      const deletes = ['--delete', '--max-deletions', '1'];
      assert.deepEqual(await run(entries, deletes), { ...nothing, unchanged: 4, deleted: 1, missing });
      assert.deepEqual(await stored(), { Shop: 'Prices.' });
    });

    it('are not removed if the list has an unknown name, and duplicates are rejected', async () => {
      const harbour = tides(['Of Ada', 'ofada', 'of-ada', ' OF ADA']);
      harbour.apis.push({ name: 'Charts', isPublic: true, consumers: ['Other'] });
      const entries = [harbour, { name: 'Other', url: 'nowhere' }];
      assert.deepEqual((await run(entries, ['--delete'])).rejected, [
        'Harbour: Tides: ofada: no Organization has this id, slug or name',
        'Other: url must be an http or https URL with a host and without credentials',
        'Harbour: Charts: Other: its own entry was rejected',
        'Harbour: Tides: of-ada: another entry is this Organization',
        'Harbour: Tides:  OF ADA: another entry is this Organization',
      ]);
      assert.deepEqual(await stored(), { 'Of Ada': '', Shop: 'Prices.' });
      // One of two entries of a name may lack what the other one has.
      const twin = tides(['Shop']);
      twin.apis.push({ name: 'TIDES', isPublic: true, consumers: ['Of Ada'] });
      const rejected = ['Harbour: TIDES: another entry has this name'];
      const missing = ['Harbour: Charts', 'Shop'];
      assert.deepEqual(await run([twin]), { ...nothing, unchanged: 3, missing, rejected });
    });

    it('may belong to others, and then stay; what the account may not do is rejected', async () => {
      const mine = tides([{ organization: 'Of Ada', note: 'Mine.' }]);
      const entries = [mine, { name: 'Of Ada' }];
      assert.deepEqual(await run(entries, ['--delete'], ofAda), { ...nothing, updated: 1, unchanged: 3 });
      const { rejected, created } = await run([tides(['Harbour', { organization: 'Shop', note: 'Mine.' }])], [], ofAda);
      const who = 'a Manager of the Organization that the body names, a Manager of the API or an Admin';
      assert.deepEqual(
        [created, rejected],
        [
          0,
          [
            `Harbour: Tides: Harbour: Only ${who} may do this.`,
            'Harbour: Tides: Shop: Only a Manager of the Consumer who may read the API or an Admin may do this.',
          ],
        ],
      );
      assert.deepEqual(await stored(), { 'Of Ada': 'Mine.', Shop: 'Prices.' });
    });
  });
}
