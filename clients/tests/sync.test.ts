import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { RosterClient } from '../typescript/dist/index.js';
import type { Proxy } from './proxy.ts';
import { APIS, COUNT, type Entry, entry, programs, type Summary, SyncProgram } from './sync-program.ts';

for (const [program, runtime] of Object.entries(programs)) {
  describe(program, () => {
    const world = new SyncProgram(program, runtime);
    let admin: RosterClient;
    let proxy: Proxy;

    before(async () => {
      await world.start();
      ({ admin, proxy } = world);
    });
    beforeEach(() => (proxy.before = async () => undefined));
    after(() => world.stop());
    let entries: Entry[] = Array.from({ length: COUNT }, (_, number) => entry(`Harbour ${number + 1}`));

    /** Runs the program with the entries. Its exit code says whether some were rejected. */
    async function run(...flags: string[]): Promise<Summary> {
      const { code, summary, errors } = await world.sync(JSON.stringify(entries), flags);
      assert.ok(summary, errors);
      assert.deepEqual([code, errors], [summary.rejected.length > 0 ? 1 : 0, '']);
      return summary;
    }

    const writes = (): string[] => world.writes();
    const stored = () => world.stored();

    /** What the summary has besides zeros. */
    const nothing = { created: 0, updated: 0, unchanged: 0, deleted: 0, missing: [], rejected: [] };

    it('creates a registry with one request per record, and then reads only pages of 100', async (test) => {
      const records = COUNT * (1 + APIS);
      const started = Date.now();
      assert.deepEqual(await run(), { ...nothing, created: records });
      test.diagnostic(
        `${COUNT} Organizations, ${COUNT * APIS} APIs: ${proxy.sent.length} requests, ${Date.now() - started} ms`,
      );
      assert.equal(proxy.sent.length, 3 + records);
      const before = await stored();
      assert.deepEqual(await run(), { ...nothing, unchanged: records });
      test.diagnostic(`Nothing to change: ${proxy.sent.length} requests`);
      assert.deepEqual(writes(), []);
      assert.equal(proxy.sent.length, 1 + Math.ceil((COUNT + 1) / 100) + Math.ceil((COUNT * APIS) / 100));
      assert.deepEqual(await stored(), before);
    });

    it('writes only what differs, and lists what the file no longer has; --delete deletes it', async () => {
      const [first, second, third] = entries as [Entry, Entry, Entry];
      first.url = 'https://first.example';
      second.apis[0]!.tags = ['nets', 'fish'];
      const [api] = third.apis.splice(0, 1);
      const { name } = entries.pop()!;
      entries.push(entry('Harbour of tomorrow'));
      const missing = [name, `${third.name}: ${api!.name}`].sort();
      const unchanged = COUNT * (1 + APIS) - 2 - 1 - (1 + APIS);
      const summary = await run();
      assert.deepEqual(
        { ...summary, missing: summary.missing.toSorted() },
        { ...nothing, created: 4, updated: 2, unchanged, missing },
      );
      assert.equal(writes().length, 6);
      const { deleted, missing: gone } = await run('--delete');
      assert.deepEqual([deleted, gone.toSorted()], [2, missing]);
      assert.deepEqual(await run('--delete'), { ...nothing, unchanged: unchanged + 6 });
      assert.equal((await admin.get('/organizations', { params: { query: { name: 'Of Ada' } } })).data.length, 1);
    });

    it('finds records whose names differ in case', async () => {
      const { organizations, apis } = await stored();
      const organization = organizations.find((one) => one.name === entries[0]!.name)!;
      const api = apis.find(({ organizationId }) => organizationId === organization._id)!;
      await admin.organizations.update(organization._id, ({ name }) => ({ name: name.toUpperCase() }));
      await admin.apis.update(api._id, ({ name }) => ({ name: name.toUpperCase() }));
      assert.deepEqual((await run('--delete')).updated, 2);
      assert.deepEqual(writes(), [
        'POST /organizations',
        `PUT /organizations/${organization._id}`,
        `POST /organizations/${organization._id}/apis`,
        `PUT /apis/${api._id}`,
      ]);
      const now = await admin.get('/apis/{id}', { params: { path: { id: api._id } } });
      assert.deepEqual([now.data.name, writes().length], [api.name, 4]);
    });

    it('reads again what others have changed meanwhile, and keeps their change', async () => {
      entries[0]!.description = 'Changed in the file.';
      const { organizations } = await stored();
      const { _id } = organizations.find(({ name }) => name === entries[0]!.name)!;
      proxy.before = async (request) => {
        if (!request.startsWith('PUT') || writes().length > 1) return;
        await admin.organizations.update(_id, { contactName: 'Grace' });
      };
      assert.equal((await run()).updated, 1);
      assert.deepEqual(writes(), [`PUT /organizations/${_id}`, `PUT /organizations/${_id}`]);
      const { data } = await admin.get('/organizations/{id}', { params: { path: { id: _id } } });
      assert.deepEqual([data.description, data.contactName], [entries[0]!.description, 'Grace']);
    });

    it('waits when there are too many requests', async () => {
      entries[0]!.description = 'Changed again.';
      proxy.before = async () => {
        if (proxy.sent.length > 1) return;
        return new Response('{"status":"fail","code":1700,"message":"Wait."}', {
          status: 429,
          headers: { 'Retry-After': '1' },
        });
      };
      assert.equal((await run()).updated, 1);
    });

    it('goes on after entries that are rejected, and deletes nothing then', async () => {
      entries[0]!.url = 'nowhere';
      entries[1]!.apis.push({ ...entries[1]!.apis[0]!, name: entries[1]!.apis[0]!.name.toUpperCase() });
      const { name } = entries.pop()!;
      const { rejected, missing, deleted } = await run('--delete');
      assert.deepEqual([deleted, missing], [0, [name]]);
      assert.match(rejected[0]!, /^Harbour 1: url must be an http or https URL/);
      assert.match(rejected[1]!, /^Harbour 2: ORDERS: another entry has this name$/);
    });

    it('writes an entry whose name stands twice once, and deletes nothing that its twin may have', async () => {
      entries = Array.from({ length: COUNT }, (_, number) => entry(`Harbour ${number + 1}`));
      const [first, second] = ['Twin - A', 'Twin \u2013  a\u200b'].map(entry) as [Entry, Entry];
      const [api] = first.apis;
      second.apis = [{ ...api!, name: 'Only of the twin' }];
      entries.push(first);
      await run('--delete', '--max-deletions', '99');
      const { organizations } = await stored();
      const { _id: organizationId } = organizations.find(({ name }) => name === first.name)!;
      await admin.apis.createOrUpdate({ ...second.apis[0]!, organizationId });
      entries.push({ ...second, url: 'https://other.example' }, { ...entry('TWIN - A'), apis: [] });
      first.apis.push({ ...api!, name: `${api!.name.toUpperCase()} `, url: 'https://other.example' });
      entries.splice(1, 1);
      const rejected = [
        `${second.name}: another entry has this name`,
        'TWIN - A: another entry has this name',
        `${first.name}: ${api!.name.toUpperCase()} : another entry has this name`,
      ];
      const unchanged = COUNT * (1 + APIS);
      for (const deleted of [1, 0]) {
        const missing = deleted === 1 ? ['Harbour 2'] : [];
        assert.deepEqual(await run('--delete'), { ...nothing, unchanged, deleted, missing, rejected });
        assert.deepEqual(writes().length, deleted);
      }
      entries = entries.filter(({ name }) => name.startsWith('Harbour'));
      first.apis.pop();
    });
  });
}
