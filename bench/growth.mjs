/** How response times grow with the number of records: one connection, the same requests on databases of several sizes. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../scripts/lib/free-port.mjs';
import { SetupError, step } from '../scripts/lib/steps.mjs';
import { atEnd } from '../test/chaos/lib/cleanup.mjs';
import { expected, login, makeAdmins, seed, startDatabase, tokenOf, withDb } from './data.mjs';
import { measureCommands, useOf } from './growth-commands.mjs';
import { addRecords, APIS } from './growth-records.mjs';
import { resetPeak, settled } from './process-usage.mjs';
import { machine, median, table } from './report.mjs';
import { ROSTER, send, startService } from './services.mjs';

const SIZES = [1_000, 10_000, 100_000];
const QUICK_SIZES = [500, 5_000];
/** How many requests of each kind are measured per database, and how many reads come before. */
const REQUESTS = 30;
const WARM_UP = 10;
/** The goal: to grow by less, or the goal of searches (ms), whichever is more. */
const GOAL = 3;
const SEARCH_GOAL_MS = 25;
const POLL_MS = 100;
/** The most time for a database to write what was inserted (ms), and to build the indexes of 1,000,000 records. */
const SETTLE_MS = 180_000;
const INDEXES_MS = 3_600_000;
/** How often the services are asked whether their search indexes are built (ms). */
const BUILT_POLL_MS = 2000;

const get = (path) => ({ method: 'GET', path });
const COUNTED = { prefer: 'count=exact' };
const list = (parameters = '') => get(`/organizations?limit=20${parameters}`);
const write = (method, path, name, text) => {
  const fields = { name, url: 'https://growth.example', description: `Changed by the benchmark: ${text}.` };
  return { method, path, body: JSON.stringify(fields) };
};
const put = ({ ids }, number, text) =>
  write('PUT', `/organizations/${ids[number]}`, `Demo Organization ${number + 1}`, text);
/** Other records each time, all over the list. */
const numberOf = ({ count }, at) => Math.floor((at * count) / REQUESTS) + 1;

/** The most ids that a list takes, one of them another each time. */
const idsFrom = ({ ids, count }, at) =>
  Array.from({ length: 100 }, (_, index) => ids[at + Math.floor((index * (count - REQUESTS)) / 100)]);

const since = (time) => `limit=20&sort=_id&since=${new Date(time).toISOString()}`;
const until = (time) => `limit=20&until=${new Date(time).toISOString()}`;
const around = (time) => `since=${new Date(time).toISOString()}&until=${new Date(time + 300_000).toISOString()}`;
const eventsOfOne = (size, at, query) => get(`/organizations/${size.ids[numberOf(size, at)]}/events?${query}`);

/** What `q` finds: a text of one record, of all, and of none. The other searches may read all records, so they have no goal. */
const SEARCHES = Object.fromEntries(
  Object.entries({
    users: (number) => `demo-user-${number}@`,
    organizations: (number) => `organization-${number}.`,
    apis: (number) => `api-${number}.`,
  }).flatMap(([path, textOf]) => {
    const search = (q, headers) => ({ ...get(`/${path}?limit=20&q=${encodeURIComponent(q)}`), headers });
    return [
      [`\`q\` of one in /${path}`, (size, at) => search(textOf(numberOf(size, at)))],
      [`\`q\` of all in /${path}`, () => search('demo')],
      [`\`q\` of none in /${path}`, (size, at) => search(`${textOf(numberOf(size, at))}x`)],
      [`\`q\` of two characters, in /${path}`, () => search('de')],
      [`\`q\` of two characters of none, in /${path}`, () => search('zq')],
      [`\`q\` of one, counted, in /${path}`, (size, at) => search(textOf(numberOf(size, at)), COUNTED)],
      [`\`q\` of all, counted, in /${path}`, () => search('demo', COUNTED)],
    ];
  }),
);
const isSearch = (title) => title in SEARCHES;
const hasNoGoal = (title) => isSearch(title) && /two characters|counted/.test(title);

/** The request of each row; `at` counts them. */
const ROWS = {
  'GET one': (size, at) => get(`/organizations/${size.ids[numberOf(size, at)]}`),
  'first page of 20': () => list(),
  'page by `after`, in the middle': ({ ids }, at) => list(`&after=${ids[ids.length / 2 + at]}`),
  'page by `after`, at the end': ({ ids }, at) => list(`&after=${ids[ids.length - 21 - at]}`),
  'an Organization by `externalId`': (size, at) => list(`&externalId=crm-${numberOf(size, at)}`),
  'an API by `externalId`': (size, at) => get(`/apis?externalId=gateway-${numberOf(size, at)}`),
  '100 by `id`, all over the list': (size, at) => get(`/organizations?id=${idsFrom(size, at).join()}`),
  PUT: (size, at) => put(size, numberOf(size, at), at),
  POST: (_size, at) => write('POST', '/organizations', `Another ${at}`, at),
  'POST of a name that is taken': (size, at) =>
    write('POST', '/organizations', `DEMO ORGANIZATION ${numberOf(size, at)}`, at),
  login: (size, at) => login(`demo-user-${numberOf(size, at)}`),
  'the APIs of one Organization with 1,000, 20 of them': ({ ids }) => get(`/organizations/${ids[0]}/apis?limit=20`),
  'APIs that end before a date, 20 of them': () => get('/apis?limit=20&sunsetBefore=2027-04-01'),
  '… of one Organization, that end': ({ ids }) => get(`/organizations/${ids[0]}/apis?limit=20&sunsetBefore=2027-04-01`),
  'APIs with a `tag` that most have': () => get('/apis?limit=20&tag=common'),
  '… that few have': () => get('/apis?limit=20&tag=few'),
  '… of one Organization with 1,000': ({ ids }) => get(`/organizations/${ids[0]}/apis?limit=20&tag=common`),
  'APIs with a `lifecycleStatus` that most are in': () => get('/apis?limit=20&lifecycleStatus=production'),
  '… that few are in': () => get('/apis?limit=20&lifecycleStatus=testing'),
  '… with a `tag`': () => get('/apis?limit=20&lifecycleStatus=production&tag=few'),
  'APIs by `updatedSince`, most of them': () => get('/apis?limit=20&updatedSince=2026-01-01'),
  '… few of them': () => get('/apis?limit=20&updatedSince=2026-02-15'),
  '… of one Organization, changed': ({ ids }) => get(`/organizations/${ids[0]}/apis?limit=20&updatedSince=2026-01-01`),
  'Users by `isSuspended`, those that are': () => get('/users?limit=20&isSuspended=true'),
  '… those that are not': () => get('/users?limit=20&isSuspended=false'),
  'Users by `updatedSince`, few of them': () => get('/users?limit=20&updatedSince=2026-02-15'),
  'APIs with one successor, 20 of them': ({ apis }) => get(`/apis?limit=20&successorId=${apis[0]}`),
  'the APIs that one Organization uses': (size, at) => get(`/apis?consumerId=${size.ids[numberOf(size, at)]}`),
  'the 1,000 APIs that one uses, 20 of them': ({ ids }) => get(`/apis?limit=20&consumerId=${ids[0]}`),
  'the 200 Consumers of one API, 20 of them': ({ apis }) => get(`/apis/${apis[0]}/consumers?limit=20`),
  'its 500 Managers, 20 of them': ({ ids }) => get(`/organizations/${ids[0]}/managers?limit=20`),
  'the newest 20 Events': () => get('/events?limit=20'),
  'Events of one record': (size, at) => get(`/events?resourceId=${size.ids[numberOf(size, at)]}`),
  'the 1,000 Events by one User, 20 of them': ({ actors }, at) =>
    get(`/events?limit=20&actorId=${actors[at % actors.length]}`),
  'Events of one Organization, by `organizationId`': (size, at) =>
    get(`/events?limit=20&organizationId=${size.ids[numberOf(size, at)]}`),
  'Events `since` the middle, the oldest first': ({ middle }) => get(`/events?${since(middle)}`),
  'Events `until` the middle': ({ middle }) => get(`/events?${until(middle)}`),
  'Events of five minutes': ({ middle }) => get(`/events?limit=20&${around(middle)}`),
  'Events of one Organization': (size, at) => eventsOfOne(size, at, 'limit=20'),
  '… by one User': (size, at) =>
    eventsOfOne(size, at, `actorId=${size.actors[numberOf(size, at) % size.actors.length]}`),
  '… `since` the middle': (size, at) => eventsOfOne(size, at, since(size.middle)),
  '… `until` the middle': (size, at) => eventsOfOne(size, at, until(size.middle)),
  ...SEARCHES,
};
/** Other statuses than 200. A search is refused after its time limit. */
const STATUSES = { POST: 201, 'POST of a name that is taken': 409, login: 201 };
const SEARCHED = [200, 503];

/** The sizes of `--records`: the smallest and the largest one to compare with, and that one. */
const sizesOf = ({ quick, records }) =>
  records ? [...new Set([SIZES[0], SIZES.at(-1), records])] : quick ? QUICK_SIZES : SIZES;

export async function measure({ options, print, ...run }) {
  const about = machine(`one connection, medians of ${REQUESTS} requests`);
  const sizes = [];
  for (const count of sizesOf(options)) {
    const title = `Inserting ${count.toLocaleString('en')} Organizations, Users and APIs`;
    sizes.push(await step(title, () => insert(run, count)));
  }
  for (const size of sizes) Object.assign(size, await serve(run, size));
  await step('Building the search indexes', async () => {
    for (const { management } of sizes) {
      while (!(await hasSearchIndexes(management))) await delay(BUILT_POLL_MS);
    }
  });
  const pids = sizes.flatMap(({ databasePid }) => databasePid ?? []);
  const settle = () => step('Waiting for the databases', () => settled(pids, SETTLE_MS));
  await settle();
  const times = await step('Measuring', () => measureRows(sizes));
  print(`\n${about}\n\n${growthTable(sizes, times)}`);
  await settle();
  print(`\n${await measureCommands(run, sizes)}`);
}

/** Makes a database with so many records of each kind. The first Organization is a large one. */
async function insert(run, count) {
  const folder = join(run.folder, String(count));
  mkdirSync(folder);
  const { uri, pid, stop } = await startDatabase(folder);
  atEnd(stop);
  await seed(uri, { users: 1, organizations: 1, apis: APIS });
  await makeAdmins(uri);
  // A service says which version the data has; without that, the next one would migrate all.
  const service = await startService(ROSTER, { ...run, folder, uri });
  await withDb(uri, async (db) => {
    while (!(await db.collection('migrations').findOne({ version: { $gt: 0 } }))) await delay(POLL_MS);
  });
  await service.stop();
  // The next start builds the indexes, which is measured.
  await withDb(uri, async (db) => {
    for (const collection of await db.collections()) await collection.dropIndexes();
  });
  const added = await withDb(uri, (db) => addRecords(db, count));
  return { count, ...added, folder, uri, databasePid: pid };
}

/** Starts a service on a database that has its records, and no indexes. */
async function serve(run, { count, folder, uri, databasePid }) {
  if (databasePid) resetPeak(databasePid);
  const management = await freePort();
  const env = { ...ROSTER.env, MANAGEMENT_PORT: String(management) };
  const service = await step(`Building the indexes of ${count.toLocaleString('en')}`, () =>
    startService({ ...ROSTER, env, startLimitMs: INDEXES_MS }, { ...run, folder, uri }),
  );
  const indexBuild = useOf({ seconds: service.startMs / 1000, pid: service.pid, databasePid });
  const token = await tokenOf(service.port, 'demo-user-1');
  await step('Waiting for the first lists', () => untilListed(service.port, token));
  return { service, indexBuild, port: service.port, management, token };
}

/** Until a service has an index of what `q` searches, it reads all records. */
async function hasSearchIndexes(management) {
  const { text } = await send(management, get('/metrics'));
  return /^roster_search_indexes_missing 0$/m.test(text);
}

/** On the embedded database, the first lists after a start wait until their ids are sampled, and can time out. */
async function untilListed(port, token) {
  for (const path of ['/organizations', '/users', '/apis', '/events']) {
    for (let status; status !== 200;) {
      ({ status } = await send(port, { ...get(path), token }).catch(() => ({})));
    }
  }
}

/** Sends each request to all databases in turn, so what else the machine does slows down all of them. */
async function measureRows(sizes) {
  const sendTo = (size, sent) => send(size.port, { token: size.token, ...sent });
  // Without the searches: on the embedded database, those that are refused go on, and would slow down the others.
  for (const [title, request] of Object.entries(ROWS)) {
    if (isSearch(title)) continue;
    for (let at = 0; at < WARM_UP; at += 1) {
      for (const size of sizes) if (request(size, at).method === 'GET') await sendTo(size, request(size, at));
    }
  }
  const times = {};
  for (const [title, request] of Object.entries(ROWS)) {
    times[title] = sizes.map(() => []);
    for (let at = 0; at < REQUESTS; at += 1) {
      for (const [index, size] of sizes.entries()) {
        // A search that was refused goes on in the embedded database, so the next ones would add to its memory.
        if (times[title][index].at(-1) === Infinity) continue;
        const sent = request(size, at);
        const began = performance.now();
        const response = await expected(
          STATUSES[title] ?? (isSearch(title) ? SEARCHED : 200),
          sendTo(size, sent),
        ).catch((error) => {
          throw new SetupError(`${title}, ${size.count}: ${error.message}`);
        });
        // One that was refused after its time limit has no time of its own.
        times[title][index].push(response.status === 503 ? Infinity : performance.now() - began);
      }
    }
  }
  return times;
}

function growthTable(sizes, times) {
  const head = ['p50 ms', ...sizes.map(({ count }) => count.toLocaleString('en')), 'growth', 'goal'];
  const rows = Object.entries(times).map(([title, ofSizes]) => {
    const medians = ofSizes.map(median);
    const growth = medians.at(-1) / medians[0];
    const isFast = isSearch(title) && medians.at(-1) < SEARCH_GOAL_MS;
    const goal = hasNoGoal(title) ? '' : `${growth < GOAL || isFast ? '✔' : '✖'} < ${GOAL} ×`;
    const shown = (value) => (value === Infinity ? '503' : value.toFixed(2));
    return [title, ...medians.map(shown), Number.isFinite(growth) ? `${growth.toFixed(1)} ×` : '', goal];
  });
  return table([head, ...rows]);
}
