import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { ADMIN, startOwnService } from '../../scripts/lib/own-service.mjs';
import { RosterClient, type Schemas } from '../typescript/dist/index.js';
import { readEntries, type Entry } from '../typescript/examples/csv.ts';
import { Sync } from '../typescript/examples/sync.ts';
import { HeyApiSync } from './hey-api-sync.ts';

type Fetch = (request: Request) => Promise<Response>;
type Summary = Sync['summary'];
type Program = (baseUrl: string, entries: readonly Entry[], fetch: Fetch) => Promise<Summary>;

/** Of a page, so 20 Organizations are on several. */
const LIMIT = 8;
const CSV = join(import.meta.dirname, '../typescript/examples/organizations.csv');
const POLL_MS = 50;
const CREDENTIALS = { username: ADMIN.username, password: ADMIN.password };

const programs: Record<string, Program> = {
  'roster-client': async (baseUrl, entries, fetch) => {
    const roster = new RosterClient({ baseUrl, fetch });
    await roster.logIn(CREDENTIALS);
    const sync = new Sync(roster, LIMIT);
    await sync.run(entries);
    return sync.summary;
  },
  '@hey-api/openapi-ts': async (baseUrl, entries, fetch) => {
    const sync = new HeyApiSync(baseUrl, LIMIT, fetch);
    await sync.logIn(CREDENTIALS);
    await sync.run(entries);
    return sync.summary;
  },
};

for (const [name, program] of Object.entries(programs)) {
  describe(`a sync with ${name}`, () => {
    let service: Awaited<ReturnType<typeof startOwnService>>;
    let admin: RosterClient;

    before(async () => {
      service = await startOwnService(process.execPath, { ACCESS_TOKEN_TTL: '3' });
      admin = new RosterClient({ baseUrl: service.address });
      await admin.logIn(CREDENTIALS);
    });
    after(() => service.stop());

    const run = (entries: readonly Entry[], fetch: Fetch = globalThis.fetch): Promise<Summary> =>
      program(service.address, entries, fetch);

    async function organizations(): Promise<Schemas['Organization'][]> {
      const all: Schemas['Organization'][] = [];
      for await (const page of admin.pages('/organizations')) all.push(...page);
      return all;
    }

    it('creates 20 Organizations and 40 APIs from several pages; a second run changes nothing', async () => {
      const entries = readEntries(readFileSync(CSV, 'utf8'));
      const before = (await organizations()).length;
      const rejected = ['Nowhere Limited: url must be an http or https URL with a host and without credentials'];
      assert.deepEqual(await run(entries), { created: 60, updated: 0, unchanged: 0, rejected });
      const stored = await organizations();
      assert.equal(stored.length, before + 20);
      const sent: string[] = [];
      const summary = await run(entries, (request) => {
        sent.push(`${request.method} ${new URL(request.url).pathname}`);
        return fetch(request);
      });
      assert.deepEqual(summary, { created: 0, updated: 0, unchanged: 60, rejected });
      assert.deepEqual(await organizations(), stored);
      assert.ok(sent.filter((request) => request === 'GET /organizations').length >= 20 / LIMIT);
      const writes = sent.filter((request) => !/^GET|^POST \/(?:sessions|tokens)$/.test(request));
      assert.deepEqual(writes, ['POST /organizations']); // the one that is not valid
    });

    it('updates an Organization that someone else has just created (409)', async () => {
      const wanted = entry('Late Comers');
      const summary = await run([wanted], async (request) => {
        const isCreation = request.method === 'POST' && request.url.endsWith('/organizations');
        if (isCreation) await admin.post('/organizations', { body: { name: 'LATE comers', url: wanted.url } });
        return fetch(request);
      });
      assert.deepEqual(summary, { created: 0, updated: 1, unchanged: 0, rejected: [] });
      const found = (await organizations()).filter((one) => one.name.toLowerCase() === 'late comers');
      assert.deepEqual(
        found.map(({ name, description }) => [name, description]),
        [['Late Comers', wanted.description]],
      );
    });

    it('reads again what someone else has just changed (412), and keeps their change', async () => {
      const wanted = entry('Busy Hands');
      const { data } = await admin.post('/organizations', { body: { name: wanted.name, url: wanted.url } });
      const statuses: number[] = [];
      const summary = await run([wanted], async (request) => {
        if (request.method !== 'PUT') return fetch(request);
        if (statuses.length === 0) await makeManager(data._id);
        const response = await fetch(request);
        statuses.push(response.status);
        return response;
      });
      assert.deepEqual(statuses, [412, 200]);
      assert.deepEqual(summary, { created: 0, updated: 1, unchanged: 0, rejected: [] });
      const { data: now } = await admin.get('/organizations/{id}', { params: { path: { id: data._id } } });
      assert.deepEqual([now.description, now.managerIds.length], [wanted.description, 2]);
    });

    it('goes on with a new access token when its own has expired', async () => {
      let refreshes = 0;
      let hasWaited = false;
      const summary = await run([entry('Slow Boats'), entry('Slower Boats')], async (request) => {
        if (request.url.endsWith('/tokens')) refreshes++;
        else if (request.method === 'POST' && !request.url.endsWith('/sessions') && !hasWaited) {
          hasWaited = true;
          await expiry(request.headers.get('Authorization'));
        }
        return fetch(request);
      });
      assert.deepEqual(summary, { created: 2, updated: 0, unchanged: 0, rejected: [] });
      assert.ok(refreshes > 0);
    });

    /** Another change of the Organization. */
    async function makeManager(id: string): Promise<void> {
      const user = {
        username: 'busy',
        companyName: 'Busy Hands',
        email: 'busy@hands.example',
        password: 'many busy hands',
      };
      const { data } = await admin.post('/users', { body: user });
      await admin.post('/organizations/{id}/managers', { params: { path: { id } }, body: { userId: data._id } });
    }

    /** Waits until the service no longer accepts the token. */
    async function expiry(authorization: string | null): Promise<void> {
      const headers = { Authorization: authorization ?? '' };
      while ((await fetch(`${service.address}/sessions`, { headers })).ok) await delay(POLL_MS);
    }
  });
}

function entry(name: string): Entry {
  return { name, url: `https://example.com/${encodeURI(name)}`, description: `All about ${name}.`, apis: [] };
}
