/** How response times grow with the number of records: one connection, the same requests on a small and a large database. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ObjectId } from 'mongodb';
import { SetupError, step } from '../scripts/lib/steps.mjs';
import { addCopies, createFirst, insertNumbered, login, startDatabase, tokenOf, withDb } from './data.mjs';
import { settled } from './process-usage.mjs';
import { machine, median, table } from './report.mjs';
import { expected, ROSTER, startService } from './services.mjs';

/** The small database; `--records` is the size of the large one. */
const SMALL = 1_000;
/** How many requests of each kind are measured per database, and how many reads come before. */
const REQUESTS = 30;
const WARM_UP = 10;
/** Time until the build of the search indexes begins, with some to spare, and the most until all is written (ms). */
const SEARCH_MS = 5_000;
const SETTLE_MS = 180_000;
/** As of an hour ago: of more than 10,000 records that were written within a minute, there is no search index. */
const OLD = { updatedAt: new Date(Date.now() - 3_600_000) };
/** The APIs of the first Organization: as many as the contract allows. */
const APIS = 1_000;
/** The APIs with what few have. */
const FEW = 100;
/** Events of each Organization, of each User who caused them, and the time from one to the next (ms). */
const EVENTS = 10;
const EVENTS_OF_USER = 1000;
const EVENT_MS = 20_000;

const get = (path, headers) => ({ method: 'GET', path, headers });
const list = (parameters = '', headers = {}) => get(`/organizations?limit=20${parameters}`, headers);
const search = (q, headers, more = '') => list(`&q=${encodeURIComponent(q)}${more}`, headers);
const apis = (parameters) => get(`/apis?limit=20&${parameters}`);
const apisOf = (id, parameters) => get(`/organizations/${id}/apis?limit=20&${parameters}`);
const write = (method, path, name, text) => {
  const fields = { name, url: 'https://growth.example', description: `Changed by the benchmark: ${text}.` };
  return { method, path, body: JSON.stringify(fields) };
};
const EXACT = { prefer: 'count=exact' };
/** Other records each time, all over the list. */
const numberOf = ({ count }, at) => Math.floor((at * count) / REQUESTS) + 1;
const idOf = (size, at) => size.ids[numberOf(size, at) - 1];

/** The request of each row; `at` counts them. */
const ROWS = {
  'GET one': (size, at) => get(`/organizations/${idOf(size, at)}`),
  'first page of 20': () => list(),
  'page by `after`, at the end': ({ ids }, at) => list(`&after=${ids[ids.length - 21 - at]}`),
  'an Organization by `externalId`': (size, at) => list(`&externalId=crm-${numberOf(size, at)}`),
  PUT: (size, at) => write('PUT', `/organizations/${idOf(size, at)}`, `Demo Organization ${numberOf(size, at)}`, at),
  POST: (_size, at) => write('POST', '/organizations', `Another ${at}`, at),
  login: (size, at) => login(`demo-user-${numberOf(size, at)}`),
  '20 of the 1,000 APIs of one Organization': ({ ids }) => apisOf(ids[0], ''),
  'APIs with a `tag` that few have': () => apis('tag=few'),
  '… with a `lifecycleStatus` of few': () => apis('lifecycleStatus=testing'),
  '… with `sunsetAfter`': () => apis('sunsetAfter=2027-03-01&sunsetBefore=2027-04-01'),
  '… with `updatedBefore`': () => apis('updatedBefore=2020-01-01'),
  '… with `hasContact=false`': () => apis('hasContact=false'),
  '… with `managerId`': () => apis('managerId=me'),
  '… of one Organization, with `lifecycleStatus`': ({ ids }) => apisOf(ids[0], 'lifecycleStatus=testing'),
  '… of one Organization, with `slug`': ({ ids }, at) => apisOf(ids[0], `slug=demo-api-${at + 1}`),
  'APIs by `sort=name`': () => apis('sort=name'),
  '… at the end': ({ count }) => apis(`sort=name&skip=${count - 20}`),
  '… by `sort=-updatedAt`': () => apis('sort=-updatedAt'),
  '… by `sort=sunsetAt`': () => apis('sort=sunsetAt'),
  '… of one Organization, by `sort=name`': ({ ids }) => apisOf(ids[0], 'sort=name'),
  'Organizations by `sort=name`': () => list('&sort=name'),
  'Organizations by `sort=-updatedAt`': () => list('&sort=-updatedAt'),
  '… by `sort=name`, with `q` of a few': (size, at) => search(`organization-${numberOf(size, at)}`, {}, '&sort=name'),
  '… by `sort=name`, with `q` of all': () => search('demo', {}, '&sort=name'),
  'newest 20 Events': () => get('/events?limit=20'),
  'Events by one User, 20 of 1,000': ({ actors }, at) => get(`/events?limit=20&actorId=${actors[at % actors.length]}`),
  'Events of one Organization': (size, at) => get(`/organizations/${idOf(size, at)}/events?limit=20`),
  '`q` of one Organization': (size, at) => search(`organization-${numberOf(size, at)}.`),
  '… of all': () => search('demo'),
  '… of none': (size, at) => search(`organization-${numberOf(size, at)}x`),
  '… of two characters that many have': () => search('de'),
  '… of two characters that none has': () => search('zq'),
  '… of one, with `count=exact`': (size, at) => search(`organization-${numberOf(size, at)}.`, EXACT),
  '… of all, with `count=exact`': () => search('demo', EXACT),
};
/** Other statuses than 200. */
const STATUSES = { POST: 201, login: 201 };

export async function measure({ options, print, ...run }) {
  const about = machine(`one connection, medians of ${REQUESTS} requests`);
  const database = await startDatabase(run.folder);
  const sizes = [];
  for (const count of [SMALL, options.records]) {
    const title = `${count.toLocaleString('en')} Organizations, Users and APIs`;
    sizes.push(await step(title, () => createSize(run, database, count)));
  }
  const pids = [database.pid, ...sizes.map(({ pid }) => pid)].filter((pid) => pid !== undefined);
  await step('Waiting until all is built and written', async () => {
    await delay(SEARCH_MS);
    await settled(pids, SETTLE_MS);
  });
  const times = await step('Measuring', () => measureRows(sizes));
  print(`\n${about}\n\n${growthTable(sizes, times)}`);
}

/** Makes a database with so many records of each kind, and starts a service on it. */
async function createSize(run, database, count) {
  const own = { ...run, folder: join(run.folder, String(count)), uri: database.uri(String(count)) };
  mkdirSync(own.folder);
  await createFirst(ROSTER, own);
  const added = await withDb(own.uri, (db) => addRecords(db, count));
  const service = await startService(ROSTER, own);
  return { ...service, ...added, count, token: await tokenOf(service.port, 'demo-user-1') };
}

/** @returns the ids of the Organizations, in their order, and those of the Users who caused Events */
async function addRecords(db, count) {
  await addCopies(db, 'users', { first: 2, last: count }, () => OLD);
  await db.collection('users').updateOne({ username: 'demo-user-1' }, { $set: { roles: ['admin'] } });
  await addCopies(db, 'organizations', { first: 2, last: count }, () => OLD);
  const organizations = db.collection('organizations').find({}, { projection: { _id: 1 }, sort: { _id: 1 } });
  const ids = (await organizations.toArray()).map(({ _id }) => _id);
  const sunset = { sunsetAt: '2027-03-31', sunsetTime: new Date('2027-03-31T23:59:59.999Z') };
  const old = { updatedAt: new Date('2019-01-01') };
  const few = { lifecycleStatus: 'testing', tags: ['common', 'few'], contactName: null, ...sunset, ...old };
  await addCopies(db, 'apis', { first: 2, last: APIS + count - 1 }, (number) => ({
    ...OLD,
    organizationId: ids[Math.max(0, number - APIS)],
    contactName: 'The team',
    ...(number % (count / FEW) === 0 && few),
  }));
  return { ids, actors: await addEvents(db, ids) };
}

/** Events of the past, as if each Organization had been changed again and again. */
async function addEvents(db, ids) {
  const count = ids.length * EVENTS;
  const actors = Array.from({ length: count / EVENTS_OF_USER }, () => new ObjectId());
  await insertNumbered(db.collection('events'), { first: 0, last: count - 1 }, (number) => {
    const createdAt = new Date(Date.now() - (count - number) * EVENT_MS);
    const resourceId = ids[number % ids.length];
    const resource = { resourceId, resourceName: 'Demo', organizationId: resourceId, readerIds: [resourceId] };
    const actor = { actorId: actors[number % actors.length], actorUsername: 'demo', apiKeyId: null, userId: null };
    const _id = ObjectId.createFromTime(createdAt.getTime() / 1000);
    return { _id, type: 'organization.updated', ...resource, ...actor, changes: [{ field: 'description' }], createdAt };
  });
  return actors;
}

/** Sends each request to all databases in turn, so what else the machine does slows down all of them. */
async function measureRows(sizes) {
  const times = {};
  for (const [title, request] of Object.entries(ROWS)) {
    times[title] = sizes.map(() => []);
    const isRead = request(sizes[0], 0).method === 'GET';
    for (let at = isRead ? -WARM_UP : 0; at < REQUESTS; at += 1) {
      for (const [index, size] of sizes.entries()) {
        const sent = { token: size.token, ...request(size, Math.max(0, at)) };
        const began = performance.now();
        await expected(STATUSES[title] ?? 200, size.port, sent).catch((error) => {
          throw new SetupError(`${title}, ${size.count}: ${error.message}`);
        });
        if (at >= 0) times[title][index].push(performance.now() - began);
      }
    }
  }
  return times;
}

function growthTable(sizes, times) {
  const head = ['p50 ms', ...sizes.map(({ count }) => count.toLocaleString('en')), 'growth'];
  const rows = Object.entries(times).map(([title, ofSizes]) => {
    const medians = ofSizes.map(median);
    return [title, ...medians.map((value) => value.toFixed(2)), `${(medians.at(-1) / medians[0]).toFixed(1)} ×`];
  });
  return table([head, ...rows]);
}
