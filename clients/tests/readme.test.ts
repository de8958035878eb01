/* eslint-disable no-console -- the examples print */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ADMIN, startOwnService } from '../../test/support/own-service.mjs';
import { type Provider, startProvider } from './provider.ts';
import { type Login, RosterClient, RosterError, type Schemas } from '../typescript/dist/index.js';

const README = readFileSync(join(import.meta.dirname, '../typescript/README.md'), 'utf8');
const ADA = { username: 'ada', companyName: 'Miller & Sons', email: 'ada@miller.example' };

/** The code below has the examples in its functions; here, `baseUrl` and `key` are those of the service. */
describe('the examples of the README', () => {
  let service: Awaited<ReturnType<typeof startOwnService>>;
  let provider: Provider;
  let baseUrl: string;
  let key: string;
  let stored: Login | undefined;
  const store = (login: Login | undefined) => (stored = login);

  before(async () => {
    provider = await startProvider();
    service = await startOwnService({
      OIDC_ISSUER: provider.issuer,
      OIDC_AUDIENCE: 'roster',
      OIDC_CREATE_USERS: 'on',
      OIDC_COMPANY_NAME: 'Compilers',
      ORGANIZATION_CREATION: 'accounts',
    });
    baseUrl = service.address;
    const admin = new RosterClient({ baseUrl });
    await admin.logIn({ username: ADMIN.username, password: ADMIN.password });
    await admin.users.createOrUpdate({ ...ADA, password: 'a long-winded passphrase' });
    const body = { name: 'readme', scope: 'write' as const, currentPassword: ADMIN.password };
    key = (await admin.post('/users/{id}/api-keys', { params: { path: { id: 'me' } }, body })).data.key;
  });
  after(async () => {
    await service?.stop();
    provider?.stop();
  });

  it('are all in this test', () => {
    const linesOf = (text: string): string[] => text.split('\n').map((line) => line.trim());
    const known = linesOf(readFileSync(import.meta.filename, 'utf8'));
    const blocks = [...README.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block = '']) =>
      block.replace("baseUrl: 'https://roster.example'", 'baseUrl').replace("key: 'roster_…'", 'key'),
    );
    const missing = blocks.flatMap(linesOf).filter((line) => !line.startsWith('import') && !known.includes(line));
    assert.ok(blocks.length > 6);
    assert.deepEqual(missing, []);
  });

  it('create, list, read and change records', async ({ mock }) => {
    const log = mock.method(console, 'log', () => undefined);
    const saved: Schemas['Api'][] = [];
    const save = (page: Schemas['Api'][]) => saved.push(...page);

    const roster = new RosterClient({ baseUrl, key });

    const { data: created } = await roster.post('/organizations', {
      body: { name: 'Miller & Sons', url: 'https://miller-and-sons.example' },
    });

    for await (const organization of roster.list('/organizations', { params: { query: { q: 'miller' } } })) {
      console.log(organization.name, organization.slug);
    }

    const params = { path: { id: created._id } };
    const { data, etag, response } = await roster.get('/organizations/{id}', { params });
    assert.equal(response.status, 200);

    await roster.put('/organizations/{id}', {
      params: { path: { id: data._id }, header: { 'If-Match': etag } },
      body: { ...data, description: 'We make nets.' },
    });

    const organization = await roster.organizations.createOrUpdate({
      name: 'Miller & Sons',
      url: 'https://miller.example',
    });
    console.log(organization.outcome); // created, updated or unchanged

    const organizationId = organization.data._id;
    await roster.apis.createOrUpdate({
      organizationId,
      externalId: 'gateway-17',
      name: 'Net sizes',
      url: 'https://api.miller.example',
      tags: ['nets'],
    });

    for await (const page of roster.pages('/apis', { params: { query: { limit: 100 } } })) save(page);

    const { data: apis } = await roster.get('/apis', { params: { query: { tag: 'nets' } } });
    const ids = [...new Set(apis.map(({ organizationId }) => organizationId))];
    const { data: owners } = await roster.get('/organizations', { params: { query: { id: ids.join() } } });
    assert.deepEqual(
      owners.map(({ _id }) => _id),
      [organizationId],
    );
    const apiId = saved[0]!._id;
    await roster.consumersOf(apiId).createOrUpdate({ organizationId, note: 'Prices in our shop.' });
    await roster.apis.update(apiId, { lifecycleStatus: 'production' });
    await roster.apis.update(apiId, ({ tags }) => ({ tags: [...tags, 'fishing'] }));

    try {
      await roster.post('/organizations', { body: { name: 'Miller & Sons', url: 'nowhere' } });
    } catch (error) {
      if (!(error instanceof RosterError)) throw error; // no response at all
      if (error.code === 1501) console.log('The name is taken');
      for (const { title, detail } of error.fieldErrors) console.log(title, detail);
    }

    const logged = log.mock.calls.map((call) => call.arguments.join(' '));
    const url = 'url must be an http or https URL with a host and without credentials';
    assert.deepEqual(logged, ['Miller & Sons miller-sons', 'updated', url]);
    const { data: now } = await roster.get('/apis/{id}', { params: { path: { id: apiId } } });
    assert.deepEqual([now.lifecycleStatus, now.tags], ['production', ['fishing', 'nets']]);
    const { data: consumers } = await roster.get('/apis/{id}/consumers', { params: { path: { id: apiId } } });
    assert.deepEqual(
      consumers.map(({ note }) => note),
      ['Prices in our shop.'],
    );
  });

  it('create an account at the first login with an identity provider', async () => {
    const { accessToken } = provider;
    const me = new RosterClient({ baseUrl, key: accessToken });
    const { username } = await me.register();
    assert.equal(username, 'grace');
    assert.deepEqual(await me.register(), (await me.get('/users/{id}', { params: { path: { id: 'me' } } })).data);
  });

  it('log in, and go on with a login that was kept', async () => {
    {
      const roster = new RosterClient({ baseUrl });
      await roster.logIn({ username: 'ada', password: 'a long-winded passphrase' });
      stored = roster.login;
    }
    {
      const roster = new RosterClient({ baseUrl, login: stored, onLogin: (login) => store(login) });
      assert.equal((await roster.get('/users/{id}', { params: { path: { id: 'me' } } })).data.username, 'ada');
    }
    const roster = new RosterClient({ baseUrl, retries: 5 });
    await assert.rejects(roster.get('/apis'), { code: 1100 });
  });
});
