import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { ADA } from './program-world.ts';
import { entry, programs, SyncProgram } from './sync-program.ts';

for (const [program, runtime] of Object.entries(programs)) {
  describe(program, () => {
    const world = new SyncProgram(program, runtime);
    const entries = Array.from({ length: 10 }, (_, number) => entry(`Harbour ${number + 1}`));

    before(async () => {
      await world.start();
      await world.sync(JSON.stringify(entries));
    });
    beforeEach(() => (world.proxy.before = async () => undefined));
    after(() => world.stop());

    it('deletes no more than a tenth, unless it is told how much, and not all', async () => {
      const document = JSON.stringify(entries.slice(0, -3));
      const before = await world.stored();
      const { code, summary, errors } = await world.sync(document, ['--delete']);
      const [gone, managed] = /would delete (\d+) of (\d+) records.*--max-deletions \1/
        .exec(errors)!
        .slice(1)
        .map(Number);
      assert.equal(managed, before.organizations.length - 1 + before.apis.length);
      assert.deepEqual([code, summary?.deleted, world.writes()], [3, 0, []]);
      assert.equal((await world.sync(document, ['--delete', '--max-deletions', String(gone! - 1)])).code, 3);
      assert.deepEqual(await world.stored(), before);
      const all = await world.sync('[]', ['--delete', '--max-deletions', '9999']);
      assert.deepEqual([all.code, world.proxy.sent], [3, []]);
      assert.match(all.errors, /^The list is empty/m);
      const done = await world.sync(document, ['--delete', '--max-deletions', String(gone)]);
      assert.deepEqual([done.code, done.summary?.deleted], [0, 3]);
      assert.equal((await world.stored()).organizations.length, before.organizations.length - 3);
    });

    it('ends with a sentence if it cannot begin', async () => {
      const cases: [string | Buffer, object, RegExp][] = [
        ['{"name":"Nets"}', {}, /organizations\.json is not a list/],
        ['null', {}, /is not a list/],
        ['[{"name":"Nets"},{"url":"https://x.example"}]', {}, /entry 2 has no name/],
        ['["Nets"]', {}, /entry 1 has no name/],
        ['[null]', {}, /entry 1 has no name/],
        ['[{"name":5}]', {}, /entry 1 has no name/],
        ['[{"name":" \u200b"}]', {}, /entry 1 has no name/],
        ['[{"name":"Nets","apis":{}}]', {}, /"apis" of Nets is not a list/],
        ['[{"name":"Nets","apis":[{}]}]', {}, /"apis" of Nets: entry 1 has no name/],
        ['[{"name":"N","apis":[{"name":"A","consumers":{}}]}]', {}, /"consumers" of N: A is not a list/],
        ['[{"name":"N","apis":[{"name":"A","consumers":["B",{"name":"C"}]}]}]', {}, /N: A: entry 2 is not an Org/],
        ['[{"name":', {}, /organizations\.json is not JSON in UTF-8/],
        [Buffer.from('[{"name":"M\u00fcller"}]', 'latin1'), {}, /is not JSON in UTF-8/],
        ['[{"name":"Nets","url":NaN}]', {}, /is not JSON in UTF-8/],
        ['['.repeat(100_000), {}, /is not JSON in UTF-8/],
        ['[]', { ROSTER_KEY: '' }, /ROSTER_KEY is not set/],
        ['[]', { ROSTER_KEY: 'ключ' }, /ROSTER_KEY must be an API key/],
        ['[]', { ROSTER_KEY: `roster_${'0'.repeat(49)}` }, /^401: .*API key/m],
        ['[]', { ROSTER: 'http://127.0.0.1:9' }, /bad port|refused/],
        ['[]', { ROSTER: 'roster' }, /ROSTER must be an http or https URL/],
        ['[]', { ROSTER: `${world.proxy.address}/docs#/` }, /ROSTER must be an http or https URL/],
        ['[]', { ROSTER: `${world.proxy.address}?x` }, /ROSTER must be an http or https URL/],
      ];
      for (const [document, settings, sentence] of cases) {
        const { code, errors } = await world.sync(document, [], settings);
        assert.equal(code, 2, errors);
        if (document !== '[]') assert.deepEqual(world.proxy.sent, []);
        assert.match(errors, sentence);
        assert.doesNotMatch(errors, /Traceback|^\s+at /m);
      }
    });

    it('ends with a sentence if something else responds', async () => {
      for (const response of [new Response('<html>'), Response.json({}), new Response('', { status: 404 })]) {
        world.proxy.before = async () => response.clone();
        const { code, errors } = await world.sync('[]');
        assert.equal(code, 2, errors);
        assert.match(errors, /is ROSTER its address\?|^The response is 404|^404/m);
        assert.doesNotMatch(errors, /Traceback|^\s+at /m);
      }
    });

    it('says of an Organization that belongs to others how to name another one', async () => {
      const mine = { ROSTER_KEY: await world.keyOf(await world.loggedIn(ADA), ADA.password) };
      const { name, description } = entries[0]!;
      const apis = [{ name: 'Tides' }];
      for (const [one, rejected] of [
        [{ name, description: 'Mine.', apis }, name],
        [{ name: name.toUpperCase(), apis }, name.toUpperCase()],
        [{ name, description, apis }, `${name}: Tides`],
      ] as const) {
        const { code, summary } = await world.sync(JSON.stringify([one]), [], mine);
        assert.equal(code, 1);
        assert.deepEqual(summary?.rejected, [
          `${rejected}: Only a Manager of this Organization or an Admin may do this.`.concat(
            ' The Organization of this name belongs to others. To name another one, give the entry its externalId, which an Admin sets.',
          ),
        ]);
      }
      const invalid = await world.sync(JSON.stringify([{ name: 'Of Ada', url: 'nowhere' }]), [], mine);
      assert.doesNotMatch(invalid.summary!.rejected.join(), /others/);
    });

    it('rejects an entry with half a character, and goes on', async () => {
      const { code, summary } = await world.sync(`[{"name":"Half \\ud800"},${JSON.stringify(entry('Whole'))}]`);
      assert.deepEqual([code, summary?.rejected.length, summary?.created], [1, 1, 4]);
    });

    it('reads a file with a byte order mark', async () => {
      const { code, summary } = await world.sync(`\ufeff${JSON.stringify([entry('Marked')])}`);
      assert.deepEqual([code, summary?.created], [0, 4]);
    });

    it('says what was done if it cannot go on', async () => {
      world.proxy.before = async (request) => {
        const isSecond = request.startsWith('POST') && world.writes().length > 1;
        return isSecond
          ? Response.json({ status: 'fail', code: 1900, message: 'Broken.' }, { status: 500 })
          : undefined;
      };
      const { code, summary, errors } = await world.sync(JSON.stringify([entry('New one')]));
      assert.deepEqual([code, summary?.created], [2, 1]);
      assert.match(errors, /^500: Broken\.$/m);
    });
  });
}
