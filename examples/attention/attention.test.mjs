/** Runs the program against the built service. See scripts/README.md. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startProxy } from '../../clients/tests/proxy.ts';
import { RosterClient } from '../../clients/typescript/dist/index.js';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { ADMIN, startOwnService } from '../../test/support/own-service.mjs';
import { Program } from '../../test/support/program.mjs';

const README = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8');
/** What cron runs, in this checkout. */
const COMMAND = /^0 7 \* \* 1 (.*)$/m.exec(README)[1].replace('/opt/roster', ROOT);
const PASSWORD = 'the password of a person';
/** The clock of the program goes 400 days fast. */
const FUTURE = `globalThis.Date = class extends Date {
  constructor(...given) { super(...(given.length > 0 ? given : [Date.now() + 400 * 86_400_000])); }
};`;

let service;
let proxy;
let admin;

before(async () => {
  service = await startOwnService();
  proxy = await startProxy(service.address);
  admin = await loggedIn(ADMIN.username, ADMIN.password);
  const [ada, bob] = [await person('ada'), await person('bob')];
  const nets = await organization(ada, { name: 'Nets' });
  const boats = await organization(admin, { name: 'Boats', contactName: 'Grace' });
  await organization(bob, { name: 'Sails', contactPhone: '+47 22 12 34 56' });
  const { data } = await admin.get('/users', { params: { query: { username: 'bob' } } });
  await admin.users.update(data[0]._id, { isSuspended: true });
  const old = await api(ada, nets, { name: 'Old', sunsetAt: '2020-01-01', isPublic: true });
  await admin.consumersOf(old).createOrUpdate({ organizationId: boats });
  await api(ada, nets, { name: 'Sizes', successorId: old, contactEmail: 'a@nets.example' });
  const end = { sunsetAt: '2020-01-02T00:00Z', lifecycleStatus: 'deprecated', contactUrl: 'https://nets.example' };
  await api(ada, nets, { name: 'Older', ...end });
  await api(admin, boats, { name: 'Ferries', isPublic: true });
});
after(async () => {
  proxy.stop();
  await service.stop();
});

const NETS = [
  'Nets',
  '  Old: ended on 2020-01-01, but its stage is design, and it is still used by Boats',
  '  Old: nobody is its contact',
  '  Sizes: its successor Old ended on 2020-01-01',
  '',
];

test('a Manager gets what needs attention in their Organizations, and only Consumers of ended APIs are read', async () => {
  assert.deepEqual(await run(await keyOf('ada', PASSWORD)), [1, NETS.join('\n'), '']);
  assert.equal(proxy.sent.filter((request) => request.endsWith('/consumers')).length, 2);
});

test('an Admin gets what needs attention in all Organizations, and those whose Managers are all suspended', async () => {
  const sails = 'Sails\n  all its Managers are suspended\n';
  assert.deepEqual(await run(await keyOf(ADMIN.username, ADMIN.password)), [1, NETS.join('\n') + sails, '']);
});

test('after a year without a change, each API needs attention', async () => {
  const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(FUTURE)}`;
  const [, output] = await run(await keyOf('ada', PASSWORD), { NODE_OPTIONS });
  for (const name of ['Old', 'Older', 'Sizes'])
    assert.match(output, new RegExp(`^  ${name}: has not changed since \\d{4}-\\d\\d-\\d\\d$`, 'm'));
});

test('the program prints nothing and exits with 0 if nothing needs attention', async () => {
  await person('carl');
  assert.deepEqual(await run(await keyOf('carl', PASSWORD)), [0, '', '']);
});

test('the program prints one sentence and exits with 2 after an error', async () => {
  for (const [settings, message] of [
    [{ ROSTER_KEY: '' }, /^ROSTER_KEY must be an API key/],
    [{ ROSTER_KEY: `roster_${'0'.repeat(49)}` }, /key/],
    [{ ROSTER: 'http://127.0.0.1:9' }, /^fetch failed/],
  ]) {
    const [code, output, errors] = await run(`roster_${'1'.repeat(49)}`, settings);
    assert.deepEqual([code, output], [2, '']);
    assert.match(errors, message);
    assert.doesNotMatch(errors, /^\s+at /m);
  }
});

/** @returns the exit code, and what it printed */
async function run(key, settings = {}) {
  proxy.sent = [];
  const env = { ROSTER: proxy.address, ROSTER_KEY: key, ...settings };
  const program = new Program(['-c', COMMAND], env, '/', 'sh');
  return [await program.end(), program.output, program.errors];
}

async function loggedIn(username, password) {
  const client = new RosterClient({ baseUrl: service.address });
  await client.logIn({ username, password });
  return client;
}

async function person(username) {
  const body = { username, email: `${username}@roster.example`, password: PASSWORD, companyName: 'Nets' };
  await admin.post('/users', { body });
  return loggedIn(username, PASSWORD);
}

async function keyOf(username, currentPassword) {
  const body = { name: 'attention', scope: 'read', currentPassword };
  const client = await loggedIn(username, currentPassword);
  return (await client.post('/users/{id}/api-keys', { params: { path: { id: 'me' } }, body })).data.key;
}

async function organization(client, body) {
  return (await client.post('/organizations', { body })).data._id;
}

async function api(client, id, body) {
  return (await client.post('/organizations/{id}/apis', { params: { path: { id } }, body })).data._id;
}
