/** Runs the forwarder against the built service, and a receiver that fails in all ways. See scripts/README.md. */
import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { RosterClient } from '@roster/client';
import { Webhook } from 'standardwebhooks';
import { startProxy } from '../../clients/tests/proxy.ts';
import { ADMIN, startOwnService } from '../../test/support/own-service.mjs';
import { Program } from '../../test/support/program.mjs';
import { startReceiver } from './receiver.mjs';

const FOLDER = import.meta.dirname;
const FORWARDER = join(FOLDER, 'forward.ts');
const SECRET = `whsec_${Buffer.from('the secret of these webhooks').toString('base64')}`;
const me = { path: { id: 'me' } };

let service;
let proxy;
let admin;
let key;
let receiver;
let folder;
let forwarder;

before(async () => {
  service = await startOwnService();
  proxy = await startProxy(service.address);
  admin = new RosterClient({ baseUrl: service.address });
  await admin.logIn({ username: ADMIN.username, password: ADMIN.password });
  const body = { name: 'webhooks', scope: 'read', currentPassword: ADMIN.password };
  ({ key } = (await admin.post('/users/{id}/api-keys', { params: me, body })).data);
  for (const name of ['Nets', 'Boats', 'Ropes']) await add(name);
});
beforeEach(async () => {
  receiver = await startReceiver();
  folder = mkdtempSync(join(tmpdir(), 'roster-webhooks-'));
});
afterEach(async () => {
  await forwarder?.kill();
  receiver.stop();
  rmSync(folder, { recursive: true });
});
after(async () => {
  proxy.stop();
  await service.stop();
});

test('sends each event once, in their order, as a signed CloudEvent', async () => {
  start();
  await receiver.acknowledged((await events()).length);
  await add('Sails');
  const expected = await events();
  await receiver.acknowledged(expected.length);
  assert.deepEqual(
    receiver.requests.map(({ body }) => JSON.parse(body)),
    expected.map((event) => ({
      specversion: '1.0',
      id: event._id,
      source: service.address,
      type: `roster.${event.type}`,
      subject: event.resourceId,
      time: event.createdAt,
      datacontenttype: 'application/json',
      data: event,
    })),
  );
  for (const { headers, body } of receiver.requests) {
    assert.equal(headers['content-type'], 'application/cloudevents+json');
    assert.equal(headers['webhook-id'], JSON.parse(body).id);
    new Webhook(SECRET).verify(body, headers);
  }
});

test('tells the Consumers of an API that it is deprecated, with the key of one of their Managers', async () => {
  const [owner, consumer] = [await person('owner'), await person('consumer')];
  const [ours, theirs] = [await add('Publisher', owner.client), await add('Shop', consumer.client)];
  const body = { name: 'Prices', isPublic: true };
  const { data: api } = await owner.client.post('/organizations/{id}/apis', { params: { path: { id: ours } }, body });
  const [params, header] = [{ path: { id: api._id } }, { 'If-Match': '*' }];
  await consumer.client.post('/apis/{id}/consumers', { params, body: { organizationId: theirs } });
  start({ ROSTER_KEY: consumer.key, ORGANIZATION: theirs });
  await receiver.acknowledged(3);
  const end = { lifecycleStatus: 'deprecated', sunsetAt: '2027-03-31' };
  await owner.client.put('/apis/{id}', { params: { ...params, header }, body: { ...body, contactName: 'Grace' } });
  await owner.client.put('/apis/{id}', { params: { ...params, header }, body: { ...body, ...end } });
  await receiver.acknowledged(4);
  const told = receiver.requests.map(({ body }) => JSON.parse(body));
  assert.deepEqual(
    told.map(({ type }) => type),
    ['organization.created', 'manager.created', 'consumer.created', 'api.updated'].map((type) => `roster.${type}`),
  );
  const { subject, data } = told.at(-1);
  assert.equal(subject, api._id);
  assert.deepEqual(
    data.changes.map(({ field, to }) => [field, to]).filter(([field]) => field in end),
    Object.entries(end),
  );
});

test('tries again until the receiver acknowledges, and keeps the order', async () => {
  const failures = [500, 404, 302, 'close', 'hang'];
  receiver.respond = () => failures.shift() ?? 200;
  start({ TIMEOUT_SECONDS: '0.5' });
  const [first, ...others] = ids(await events());
  await receiver.acknowledged(others.length + 1);
  assert.deepEqual(receiver.ids(), [first, first, first, first, first, first, ...others]);
  for (const { headers, body } of receiver.requests) new Webhook(SECRET).verify(body, headers);
});

test('goes on where it stopped, also when it was killed', async () => {
  const all = ids(await events());
  receiver.respond = ({ length }) => (length > 2 ? 'hang' : 204);
  start();
  await receiver.requested(3);
  await forwarder.kill();
  appendFileSync(join(folder, 'acknowledged.txt'), `${all[2]} 20`);
  receiver.respond = () => 204;
  start();
  await receiver.acknowledged(all.length);
  assert.equal(await forwarder.stop(), 0);
  await add('Oars');
  const added = ids(await events()).slice(all.length);
  start();
  await receiver.acknowledged(all.length + added.length);
  assert.deepEqual(receiver.ids(), [...all.slice(0, 3), ...all.slice(2), ...added]);
});

test('ends after an acknowledgement when it is stopped, and has stored it', async () => {
  let send;
  receiver.respond = ({ length }) => (length === 1 ? new Promise((resolve) => (send = resolve)) : 204);
  start();
  await receiver.requested(1);
  const stopped = forwarder.stop();
  send(204);
  assert.equal(await stopped, 0);
  const stored = readFileSync(join(folder, 'acknowledged.txt'), 'utf8').trim().split('\n');
  assert.deepEqual(
    stored.map((line) => line.slice(0, 24)),
    receiver.ids(),
  );
  assert.ok(stored.length < (await events()).length);
});

test('finds an event that appears late, and waits for Roster', async () => {
  const all = await events();
  const shown = all.toSpliced(1, 1);
  const responses = [new Response('', { status: 503 }), Response.json({ status: 'success', data: shown })];
  proxy.before = async () => responses.shift();
  start({ ROSTER: proxy.address });
  await receiver.acknowledged(all.length);
  assert.deepEqual(receiver.ids(), [...ids(shown), all[1]._id]);
});

test('ends when the receiver never acknowledges, or wants no more', async () => {
  for (const [status, attempts, exitCode, message] of [
    [500, 3, 1, /attempt 3 of 3: 500\n$/],
    [410, 1, 2, /^WEBHOOK_URL: the receiver wants no more Events/],
  ]) {
    receiver.requests.length = 0;
    receiver.respond = () => status;
    start({ ATTEMPTS: '3' });
    assert.equal(await forwarder.end(), exitCode);
    assert.match(forwarder.errors, message);
    assert.equal(receiver.requests.length, attempts);
  }
});

for (const [name, ...values] of [
  ['ROSTER', '', 'roster.example', 'http://ada:secret@roster.example'],
  ['ROSTER_KEY', '', 'secret', `roster_${'0'.repeat(49)}`],
  ['WEBHOOK_URL', '', 'ftp://hooks.example'],
  ['WEBHOOK_SECRET', '', 'whsec_c2hvcnQ=', 'whsec_not base64 not base64 not base64'],
  ['ORGANIZATION', 'shop', 'F'.repeat(24)],
  ['STATE_FILE', '.', 'package.json'],
  ['SINCE', 'yesterday', '2026-02-31'],
  ['POLL_SECONDS', '0', 'often'],
  ['ATTEMPTS', '-1'],
]) {
  test(`ends with a sentence when ${name} is not right`, async () => {
    for (const value of values) {
      start({ [name]: value }, FOLDER);
      assert.equal(await forwarder.end(), 2);
      assert.match(forwarder.errors, new RegExp(`^[^\\n]*\\b${name}\\b[^\\n]*\n$`));
    }
  });
}

/** Starts the forwarder, with a state file that the next one in the same test finds. */
function start(settings = {}, cwd = folder) {
  const env = {
    ...{ ROSTER: service.address, ROSTER_KEY: key, WEBHOOK_URL: receiver.address, WEBHOOK_SECRET: SECRET },
    ...{ STATE_FILE: join(folder, 'acknowledged.txt'), POLL_SECONDS: '0.05', RETRY_SECONDS: '0.01', ...settings },
  };
  forwarder = new Program(['--disable-warning=ExperimentalWarning', FORWARDER], env, cwd);
}

async function add(name, client = admin) {
  return (await client.post('/organizations', { body: { name, url: 'https://example.com' } })).data._id;
}

/** A new User, with a key that can read. */
async function person(username) {
  const password = `the password of ${username}`;
  const body = { username, password, companyName: 'Nets', email: `${username}@nets.example` };
  await admin.post('/users', { body });
  const client = new RosterClient({ baseUrl: service.address });
  await client.logIn({ username, password });
  const wanted = { name: 'webhooks', scope: 'read', currentPassword: password };
  return { client, key: (await client.post('/users/{id}/api-keys', { params: me, body: wanted })).data.key };
}

async function events() {
  const { data } = await admin.get('/events', { params: { query: { sort: '_id', limit: 100 } } });
  return data;
}

function ids(list) {
  return list.map(({ _id }) => _id);
}
