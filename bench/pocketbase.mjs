/** Compares Roster with PocketBase: the same Organizations, and the same requests of one account. See docs/performance.md. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { goTools } from '../scripts/lib/generators.mjs';
import { CACHE } from '../scripts/lib/paths.mjs';
import { capture } from '../scripts/lib/processes.mjs';
import { say, step } from '../scripts/lib/steps.mjs';
import { atEnd } from '../test/chaos/lib/cleanup.mjs';
import { Bench } from './bench.mjs';
import { INSERTED } from './cases.mjs';
import { expected, makeAdmins, seed, startDatabase, tokenOf, withDb } from './data.mjs';
import { machine, median, table } from './report.mjs';
import { ROSTER, send, startService } from './services.mjs';

const VERSION = '0.36.8';
const ACCOUNT = { email: 'bench@roster.example', password: 'a demo of the registry' };
const COLLECTIONS = '/api/collections';
const RECORDS = `${COLLECTIONS}/organizations/records`;

const [CONNECTIONS, COUNT, CREATE_SECONDS] = [20, 2000, 2];
const PAGES = Array.from({ length: COUNT / 20 }, (_, index) => index);
/** Each finds 11 Organizations. */
const TEXTS = PAGES.map((number) => `Demo Organization ${number + 100}`);
const FIELDS = { url: 'https://bench.example', description: 'Written by the benchmark: {n}.' };
const RESET = { $set: { referenceCount: 0 } };
const NEW = { name: `${INSERTED} {n}`, ...FIELDS };

const get = (path) => ({ method: 'GET', path });
const write = (method, path, body) => ({ method, path, body: JSON.stringify(body) });
const searching = (text) =>
  encodeURIComponent(['name', 'description', 'url'].map((field) => `${field} ~ "${text}"`).join(' || '));

/** For each case, the requests to Roster and to PocketBase. */
const CASES = {
  'GET one': [
    ({ organizations }) => organizations.map(({ _id }) => get(`/organizations/${_id}`)),
    ({ organizations }) => organizations.map(({ id }) => get(`${RECORDS}/${id}`)),
  ],
  'list of 20, another page each': [
    () => PAGES.map((page) => get(`/organizations?limit=20&skip=${page * 20}`)),
    () => PAGES.map((page) => get(`${RECORDS}?perPage=20&skipTotal=1&page=${page + 1}`)),
  ],
  'search, another text each': [
    () => TEXTS.map((text) => get(`/organizations?limit=20&q=${encodeURIComponent(text)}`)),
    () => TEXTS.map((text) => get(`${RECORDS}?perPage=20&skipTotal=1&filter=${searching(text)}`)),
  ],
  update: [
    ({ organizations: all }) => all.map(({ _id, name }) => write('PUT', `/organizations/${_id}`, { name, ...FIELDS })),
    ({ organizations: all }) => all.map(({ id, name }) => write('PATCH', `${RECORDS}/${id}`, { name, ...FIELDS })),
  ],
  create: [
    () => [write('POST', '/organizations', NEW)],
    ({ organizations: [{ createdBy }] }) => [write('POST', RECORDS, { ...NEW, createdBy })],
  ],
};

export async function measure({ options: { rounds, seconds, warmUpSeconds }, print, ...run }) {
  const about = machine(
    `${CONNECTIONS} connections, one account, ${rounds} rounds of ${seconds} s; medians of the rounds`,
  );
  const sides = await step(`Creating ${COUNT} Organizations in both`, () => start(run));
  const rows = [];
  for (const [title, requests] of Object.entries(CASES)) {
    const measured = [];
    for (let round = 0; round <= rounds; round += 1)
      measured.push(await measureRound(sides, requests, title, round === 0 ? warmUpSeconds : seconds));
    const of = (side, figure) => Math.round(median(measured.slice(1).map((round) => round[side][figure])));
    rows.push([title, of(0, 'rps'), of(1, 'rps'), of(0, 'cpu'), of(0, 'databaseCpu'), of(1, 'cpu')].map(String));
    say(`· ${rows.at(-1).join(', ')}`);
  }
  const peer = sides[1].service.title;
  print(`\n${about}\n\n${table([['', 'Roster req/s', peer, 'Roster CPU µs', 'its database', peer], ...rows])}`);
}

/** Starts Roster, with a database of its own, and PocketBase with the same records. */
async function start(run) {
  const { uri, pid, stop } = await startDatabase(run.folder);
  atEnd(stop);
  // A User manages at most 1,000 Organizations.
  await seed(uri, { users: 100, organizations: COUNT, apis: 0 });
  await makeAdmins(uri);
  const service = await startService(ROSTER, { ...run, uri });
  const organizations = await withDb(uri, (db) => db.collection('organizations').find().sort('_id').toArray());
  const data = { tokens: [await tokenOf(service.port, 'demo-user-1')], organizations };
  const peer = await startPocketBase(run);
  const peerData = await createRecords(peer.port, organizations);
  return [
    { service, data, bench: new Bench({ ...run, uri }, data, pid) },
    { service: peer, data: peerData, bench: new Bench(run, peerData) },
  ];
}

/** Measures each once. What is created in PocketBase stays, so that is the last case; nor may one account create more in Roster. */
async function measureRound(sides, requests, title, seconds) {
  const isCreation = title === 'create';
  const length = { connections: CONNECTIONS, seconds: isCreation ? Math.min(seconds, CREATE_SECONDS) : seconds };
  const measured = [];
  for (const [side, { bench, service }] of sides.entries()) {
    const one = { name: title.split(' ')[0], requests: requests[side], status: 200, inserts: isCreation && side === 0 };
    measured.push(await bench.measure(service, one, length));
    // Below this number, Roster need not count what the account manages. Deleting does not reduce it.
    if (one.inserts) await withDb(bench.run.uri, (db) => db.collection('users').updateMany({}, RESET));
  }
  return measured;
}

/** The program of its releases, built from Go's module proxy. */
async function startPocketBase(run) {
  const cache = join(CACHE, 'pocketbase', VERSION);
  const [program, data] = [join(cache, 'base'), `--dir=${join(run.folder, 'pocketbase')}`];
  const install = ['install', `github.com/pocketbase/pocketbase/examples/base@v${VERSION}`];
  if (!existsSync(program)) await capture(goTools.program, install, { env: { ...goTools.env, GOBIN: cache } });
  await capture(program, ['superuser', 'upsert', ACCOUNT.email, ACCOUNT.password, data]);
  const command = (port) => [program, 'serve', `--http=127.0.0.1:${port}`, data];
  const definition = { name: 'pocketbase', title: `PocketBase ${VERSION}`, command };
  return startService(definition, run, get('/api/health'));
}

/** Creates a collection, a User, and that User's Organizations. A signed-in User reads; the creator writes. */
async function createRecords(port, organizations) {
  const post = async (path, body, token) =>
    JSON.parse((await expected(200, send(port, { ...write('POST', path, body), token }))).text);
  const login = { identity: ACCOUNT.email, password: ACCOUNT.password };
  const logIn = async (name) => (await post(`${COLLECTIONS}/${name}/auth-with-password`, login)).token;
  const superuser = await logIn('_superusers');
  const user = await post(`${COLLECTIONS}/users/records`, { ...ACCOUNT, passwordConfirm: ACCOUNT.password }, superuser);
  await post(COLLECTIONS, collectionOf(user.collectionId), superuser);
  const [token, created] = [await logIn('users'), []];
  for (const { name, url, description, contactName, contactEmail } of organizations)
    created.push(await post(RECORDS, { name, url, description, contactName, contactEmail, createdBy: user.id }, token));
  return { tokens: [token], organizations: created };
}

function collectionOf(collectionId) {
  const isUser = '@request.auth.id != ""';
  const isCreator = `${isUser} && createdBy = @request.auth.id`;
  const fields = (type, ...names) => names.map((name) => ({ name, type }));
  return {
    ...{ name: 'organizations', type: 'base', listRule: isUser, viewRule: isUser },
    ...{ createRule: isCreator, updateRule: isCreator },
    fields: [
      { name: 'name', type: 'text', required: true, max: 255 },
      ...fields('text', 'description', 'contactName', 'contactPhone', 'externalId'),
      ...fields('url', 'url', 'contactUrl'),
      ...fields('email', 'contactEmail'),
      { name: 'createdBy', type: 'relation', collectionId, maxSelect: 1 },
      { name: 'createdAt', type: 'autodate', onCreate: true },
      { name: 'updatedAt', type: 'autodate', onCreate: true, onUpdate: true },
    ],
    indexes: ['CREATE UNIQUE INDEX organizations_name ON organizations (name COLLATE NOCASE)'],
  };
}
