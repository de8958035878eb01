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

    const records = () => entries.reduce((sum, { apis }) => sum + 1 + apis.length, 0);

    /** The numbers of the summary that are not zero. */
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
      const { deleted, missing: listed } = await run('--delete');
      assert.deepEqual([deleted, listed.toSorted()], [2, missing]);
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

    it('keeps a record that is renamed, where the entry has its externalId', async () => {
      entries[0]!.externalId = 'port 1';
      entries[0]!.apis[0]!.externalId = 'Api 1';
      // Records that exist get the external ids of the entries with their names.
      assert.equal((await run()).updated, 2);
      const id = async (externalId: string) =>
        (await admin.get('/organizations', { params: { query: { externalId } } })).data[0]?._id;
      const _id = await id('port 1');
      const { apis } = await stored();
      const former = apis.find(({ externalId }) => externalId === 'Api 1')!;
      const [organization, api] = [entries[0]!, entries[0]!.apis[0]!];
      const names = [organization.name, api.name] as const;
      // Their names go to others, which come first in the file.
      organization.name = 'Renamed';
      api.name = 'Renamed, too';
      organization.apis.unshift({ ...api, externalId: 'api 1', name: names[1] });
      entries.unshift({ ...entry(names[0]), externalId: 'Port 1' });
      assert.deepEqual(await run('--delete'), {
        ...nothing,
        created: 2 + APIS,
        updated: 2,
        unchanged: records() - (2 + APIS) - 2,
      });
      assert.deepEqual(writes().slice(0, 3), [`PUT /organizations/${_id}`, `PUT /apis/${former._id}`, writes()[2]]);
      assert.equal(await id('port 1'), _id);
      assert.notEqual(await id('Port 1'), _id);
      assert.deepEqual((await run('--delete')).unchanged, records());
      assert.deepEqual(writes(), []);
      // A name that a record with another externalId has is not taken over.
      entries.shift();
      organization.apis.shift();
      [organization.name, api.name] = names;
      assert.deepEqual((await run('--delete', '--max-deletions', '9')).rejected, [
        `${names[0]}: An Organization with this name already exists.`,
      ]);
      await admin.delete('/organizations/{id}', {
        params: { path: { id: (await id('Port 1'))! }, header: { 'If-Match': '*' } },
      });
      const other = (await stored()).apis.find(({ externalId }) => externalId === 'api 1')!;
      await admin.delete('/apis/{id}', { params: { path: { id: other._id }, header: { 'If-Match': '*' } } });
      assert.equal((await run()).updated, 2);
    });

    it('writes one of two entries with the same externalId', async () => {
      const twin = { ...entry('Another name'), externalId: '\ufeffport 1\u0085', apis: [] };
      entries.push(twin);
      const rejected = ['Another name: another entry has this externalId'];
      assert.deepEqual(await run('--delete'), { ...nothing, unchanged: records() - 1, rejected });
      entries.pop();
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
