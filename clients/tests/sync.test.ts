import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { after, before, beforeEach, describe, it } from 'node:test';
import { ADMIN, startOwnService } from '../../scripts/lib/own-service.mjs';
import { RosterClient, type Schemas } from '../typescript/dist/index.js';
import { type Proxy, startProxy } from './proxy.ts';

type Entry = Schemas['OrganizationInput'] & { apis: Schemas['ApiInput'][] };
type Summary = Record<'created' | 'updated' | 'unchanged' | 'deleted', number> & {
  missing: string[];
  rejected: string[];
};

/** 200 show the figures in clients/README.md. */
const COUNT = Number(env.SYNC_ORGANIZATIONS ?? 34);
const APIS = 3;
const CLIENTS = join(import.meta.dirname, '..');

/** The programs, with what runs them. */
const programs = {
  'typescript/examples/sync.ts': execPath,
  'python/sync.py': env.PYTHON ?? 'python3',
};

for (const [program, runtime] of Object.entries(programs)) {
  describe(program, () => {
    const folder = mkdtempSync(join(tmpdir(), 'roster-sync-'));
    const source = join(folder, 'organizations.json');
    let service: Awaited<ReturnType<typeof startOwnService>>;
    let proxy: Proxy;
    let admin: RosterClient;
    let key: string;
    let entries: Entry[];

    before(async () => {
      service = await startOwnService();
      proxy = await startProxy(service.address);
      admin = await loggedIn(ADMIN);
      const body = { name: 'sync', scope: 'write' as const, currentPassword: ADMIN.password };
      key = (await admin.post('/users/{id}/api-keys', { params: { path: { id: 'me' } }, body })).data.key;
      const ada = { username: 'ada', companyName: 'Nets', email: 'ada@nets.example', password: 'many busy hands' };
      await admin.users.createOrUpdate(ada);
      await (await loggedIn(ada)).post('/organizations', { body: { name: 'Of Ada', url: 'https://ada.example' } });
      entries = Array.from({ length: COUNT }, (_, number) => entry(`Harbour ${number + 1}`));
    });
    beforeEach(() => (proxy.before = async () => undefined));
    after(async () => {
      proxy.stop();
      await service.stop();
      rmSync(folder, { recursive: true });
    });

    async function loggedIn({ username, password }: { username: string; password: string }): Promise<RosterClient> {
      const client = new RosterClient({ baseUrl: service.address });
      await client.logIn({ username, password });
      return client;
    }

    /** Runs the program with the entries. Its exit code says whether some were rejected. */
    async function run(...flags: string[]): Promise<Summary> {
      writeFileSync(source, JSON.stringify(entries));
      proxy.sent = [];
      const access = { ROSTER: proxy.address, ROSTER_KEY: key, PYTHONPATH: join(CLIENTS, 'python/dist') };
      const { code, output } = await new Promise<{ code: unknown; output: string }>((resolve) =>
        execFile(
          runtime,
          [join(CLIENTS, program), source, ...flags],
          { env: { ...env, ...access } },
          (error, stdout, stderr) => resolve({ code: error?.code ?? 0, output: stdout || stderr }),
        ),
      );
      assert.match(output, /^\{/);
      const summary = JSON.parse(output) as Summary;
      assert.equal(code, summary.rejected.length > 0 ? 1 : 0);
      return summary;
    }

    const writes = (): string[] => proxy.sent.filter((request) => !request.startsWith('GET'));

    async function stored(): Promise<{ organizations: Schemas['OrganizationItem'][]; apis: Schemas['ApiItem'][] }> {
      return { organizations: await all(admin.list('/organizations')), apis: await all(admin.list('/apis')) };
    }

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
  });
}

async function all<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}

function entry(name: string): Entry {
  const url = `https://example.com/${encodeURI(name)}`;
  const apis = ['Orders', 'Catalogue', 'Prices'].slice(0, APIS).map((api) => ({ name: api, url: `${url}/${api}` }));
  return { name, url, description: `All about ${name}.`, apis };
}
