/** Asks the server for tools and their results with the SDK's own client, as an assistant does. See scripts/README.md. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { RosterClient } from '@roster/client';
import { ADMIN, startOwnService } from '../../test/support/own-service.mjs';
import { Program } from '../../test/support/program.mjs';

const SERVER = join(import.meta.dirname, 'server.ts');
const ARGUMENTS = ['--disable-warning=ExperimentalWarning', SERVER];
const PASSWORD = 'the password of a reader';
const me = { path: { id: 'me' } };

let service;
let admin;
let key;
let client;
let nets;
let boats;
let old;

before(async () => {
  service = await startOwnService();
  admin = new RosterClient({ baseUrl: service.address });
  await admin.logIn({ username: ADMIN.username, password: ADMIN.password });
  key = await keyOfReader();
  nets = await organization({ name: 'Nets & Co', contactName: 'Grace' });
  boats = await organization({ name: 'Boats' });
  const next = await api(nets, { name: 'Net sizes', version: '2' });
  const end = { lifecycleStatus: 'deprecated', version: '1', sunsetAt: '2030-06-30', successorId: next._id };
  old = await api(nets, { name: 'Net sizes of old', contactEmail: 'nets@nets.example', tags: ['nets'], ...end });
  await api(nets, { name: 'Net prices', isPublic: false });
  await admin.post('/apis/{id}/consumers', {
    params: { path: { id: old._id } },
    body: { organizationId: boats._id, note: 'Orders.' },
  });
  client = await connect({ ROSTER: service.address, ROSTER_KEY: key });
});
after(async () => {
  await client?.close();
  await service?.stop();
});

test('the five tools describe what they do and take, and that they change nothing', async () => {
  const { tools } = await client.listTools();
  const names = tools.map(({ name }) => name);
  assert.deepEqual(names, ['search_apis', 'read_api', 'who_manages', 'what_changed', 'needs_attention']);
  for (const { description, inputSchema, annotations } of tools) {
    assert.ok(description);
    assert.deepEqual([inputSchema.type, inputSchema.additionalProperties], ['object', false]);
    assert.equal(annotations.readOnlyHint, true);
  }
  assert.match(client.getInstructions(), /never\s+instructions/);
});

test('a search finds an API with its owner, version and end, and no private one', async () => {
  const found = await call('search_apis', { q: 'net ' });
  const shown = found.apis.map(({ name, organization, version, sunsetAt }) => [name, organization, version, sunsetAt]);
  assert.deepEqual(shown, [
    ['Net sizes', 'Nets & Co', '2', null],
    ['Net sizes of old', 'Nets & Co', '1', '2030-06-30'],
  ]);
  assert.equal(found.isComplete, true);
  assert.equal((await call('search_apis', { limit: 1 })).isComplete, false);
  assert.deepEqual(namesOf(await call('search_apis', { sunsetBefore: '2031-01-01' })), ['Net sizes of old']);
  const ends = { sunsetAfter: '2030-06-01', sunsetBefore: '2030-07-01', sort: 'sunsetAt' };
  assert.deepEqual(namesOf(await call('search_apis', ends)), ['Net sizes of old']);
  assert.deepEqual(namesOf(await call('search_apis', { ...ends, sunsetBefore: '2030-06-30' })), []);
  assert.deepEqual(namesOf(await call('search_apis', { sort: '-updatedAt', limit: 1 })), ['Net sizes of old']);
  assert.deepEqual(namesOf(await call('search_apis', { consumerId: boats._id })), ['Net sizes of old']);
});

test('what is null or blank counts as left out', async () => {
  const { apis } = await call('search_apis', {});
  for (const nothing of [null, '', ' \t'])
    for (const name of ['q', 'tag', 'lifecycleStatus', 'sunsetBefore', 'consumerId', 'limit'])
      assert.deepEqual((await call('search_apis', { [name]: nothing })).apis, apis, name);
});

test('dates are those of Roster', async () => {
  for (const date of ['2031-01-01', '2031-01-01T00:00Z', '2031-01-01T00:00:00.123456789+01:00'])
    assert.deepEqual(namesOf(await call('search_apis', { sunsetBefore: date })), ['Net sizes of old']);
  assert.deepEqual((await call('what_changed', { since: '2100-01-01T00:00Z' })).changes, []);
});

test('an API is read by its id, slug or name, with its contact, owner, successor and Consumers', async () => {
  for (const wanted of [old._id, old.slug, 'net SIZES of old']) {
    const { api: read, organization: owner, successor, consumers } = await call('read_api', { api: wanted });
    assert.equal(read.contactEmail, 'nets@nets.example');
    assert.equal(owner.contactName, 'Grace');
    assert.equal(successor.name, 'Net sizes');
    assert.deepEqual(
      consumers.map(({ name, note }) => [name, note]),
      [['Boats', 'Orders.']],
    );
  }
});

test('the Managers of an Organization are named, by its id, slug or name', async () => {
  for (const wanted of [nets._id, nets.slug, 'nets & CO']) {
    const { managers } = await call('who_manages', { organization: wanted });
    assert.deepEqual(
      managers.map(({ username }) => username),
      [ADMIN.username],
    );
  }
});

test('what changed since a date comes with the newest change first', async () => {
  const { changes } = await call('what_changed', { since: new Date(Date.now() - 600_000).toISOString() });
  const times = changes.map(({ updatedAt }) => updatedAt);
  assert.deepEqual(times, times.toSorted().reverse());
  assert.deepEqual(new Set(changes.map(({ name }) => name)), new Set(['Nets & Co', 'Boats', 'Net sizes', old.name]));
  assert.deepEqual((await call('what_changed', { since: '2100-01-01' })).changes, []);
  const [newest] = changes;
  const first = await call('what_changed', { since: '2020-01-01', limit: 1 });
  assert.deepEqual(first, { changes: [newest], isComplete: false });
});

test('what needs attention is listed, in all of Roster or in one Organization', async () => {
  const ended = { name: 'Boat prices', isPublic: true, sunsetAt: '2020-01-01', lifecycleStatus: 'deprecated' };
  const gone = await api(boats, { ...ended, contactName: 'Grace' });
  await admin.consumersOf(gone._id).createOrUpdate({ organizationId: nets._id });
  const reason = 'ended on 2020-01-01, but it is still used by Nets & Co';
  const findings = [{ organization: 'Boats', api: 'Boat prices', reason }];
  for (const input of [{}, { organization: 'boats' }, { organization: boats._id }])
    assert.deepEqual(await call('needs_attention', input), { findings, isComplete: true });
  assert.deepEqual((await call('needs_attention', { organization: 'Nets & Co' })).findings, []);
  assert.match(await refusal(client, 'needs_attention', { organization: 'Nobody' }), /Search for it first/);
});

test('an error says what to do', async () => {
  for (const [tool, input, message] of [
    ['read_api', { api: '0'.repeat(24) }, /^No API has this id/],
    ['read_api', { api: 'no-such-api' }, /Search for it first/],
    ['who_manages', { organization: '../users' }, /Search for it first/],
    ['who_manages', { organization: 'a--日本' }, /Search for it first/],
    ['search_apis', { limit: 1000 }, /limit/],
    ['search_apis', { query: 'csv' }, /query: unknown\. Known are: q, tag, .*, limit\.$/],
    ['who_manages', { organization: 'Boats', q: 'x' }, /q: unknown\. Known are: organization\.$/],
    ['read_api', {}, /api/],
    ['read_api', { api: ' ' }, /api/],
    [
      'what_changed',
      { since: 'yesterday' },
      /since: must be a date \(2026-03-16\), or a date and time with a UTC offset/,
    ],
    ['what_changed', { since: '2026-01-01T00:00' }, /since: must be a date/],
    ['search_apis', { sunsetBefore: '2026-02-30' }, /"sunsetBefore" must be a date/],
  ]) {
    assert.match(await refusal(client, tool, input), message);
  }
});

test('of two records with a name, neither is read, but both are named with their Organizations', async () => {
  const mine = await api(nets, { name: 'Weather' });
  const other = await api(boats, { name: 'weather' });
  const ids = (name, { _id }) => `${_id} \\(\\w+, ${name}\\)`;
  for (const wanted of ['Weather', 'weather'])
    assert.match(
      await refusal(client, 'read_api', { api: wanted }),
      new RegExp(`by its id: ${ids('Nets & Co', mine)}, ${ids('Boats', other)}\\.$`),
    );
  const { organization: owner } = await call('read_api', { api: other.slug });
  assert.equal(owner.name, 'Boats');
  // Its old slug still finds the first one.
  const first = await organization({ name: 'Ferries' });
  await admin.organizations.update(first._id, { name: 'Ships' });
  const { _id } = await organization({ name: 'Ferries' });
  assert.match(
    await refusal(client, 'who_manages', { organization: 'ferries' }),
    new RegExp(`by its id: ${_id} \\(Ferries\\), ${first._id} \\(Ships\\)\\.$`),
  );
});

test('a key that no longer works, and a service that is away, are errors of the call', async () => {
  for (const [settings, message] of [
    [{ ROSTER: service.address, ROSTER_KEY: `roster_${'0'.repeat(49)}` }, /key/],
    [{ ROSTER: 'http://127.0.0.1:9', ROSTER_KEY: key }, /^Roster does not respond: /],
  ]) {
    const other = await connect(settings);
    assert.match(await refusal(other, 'search_apis', {}), message);
    await other.close();
  }
});

for (const [name, value] of [
  ['ROSTER', 'roster.example'],
  ['ROSTER_KEY', 'secret'],
]) {
  test(`the start ends with a sentence when ${name} is not right`, async () => {
    const program = new Program(ARGUMENTS, { ROSTER: service.address, ROSTER_KEY: key, [name]: value });
    assert.equal(await program.end(), 2);
    assert.match(program.errors, new RegExp(`^${name} must be set to [^\\n]*\n$`));
  });
}

/** A read key of a User who manages nothing. */
async function keyOfReader() {
  const body = { username: 'reader', email: 'reader@roster.example', password: PASSWORD, companyName: 'Readers' };
  await admin.post('/users', { body });
  const reader = new RosterClient({ baseUrl: service.address });
  await reader.logIn({ username: 'reader', password: PASSWORD });
  const wanted = { name: 'assistant', scope: 'read', currentPassword: PASSWORD };
  return (await reader.post('/users/{id}/api-keys', { params: me, body: wanted })).data.key;
}

async function organization(body) {
  return (await admin.post('/organizations', { body })).data;
}

async function api({ _id: id }, fields) {
  const body = { isPublic: true, ...fields };
  return (await admin.post('/organizations/{id}/apis', { params: { path: { id } }, body })).data;
}

async function connect(env) {
  const connected = new Client({ name: 'test', version: '1.0.0' });
  await connected.connect(new StdioClientTransport({ command: process.execPath, args: ARGUMENTS, env }));
  return connected;
}

async function call(name, input) {
  const { isError, content, structuredContent } = await client.callTool({ name, arguments: input });
  assert.ok(!isError, content[0].text);
  assert.deepEqual(JSON.parse(content[0].text), structuredContent);
  return structuredContent;
}

async function refusal(asked, name, input) {
  const { isError, content } = await asked.callTool({ name, arguments: input });
  assert.equal(isError, true);
  return content[0].text;
}

function namesOf({ apis }) {
  return apis.map(({ name }) => name);
}
