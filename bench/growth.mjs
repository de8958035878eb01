/** How response times grow with the number of records: one connection, the same requests on databases of several sizes. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { say, SetupError, step } from '../scripts/lib/steps.mjs';
import { send } from './client.mjs';
import { PASSWORD, seedAdmins, startDatabase } from './data.mjs';
import { median } from './figures.mjs';
import { fill, FOUND, nameOf, usernameOf, WORD } from './growth-data.mjs';
import { machine, table } from './report.mjs';
import { SERVICES, startService } from './services.mjs';

const SIZES = [1_000, 10_000, 100_000];
const QUICK_SIZES = [500, 5_000];
/** How many requests of each kind are measured per database. */
const REQUESTS = 30;
/** How many requests of each kind that reads come before. */
const WARM_UP = 10;
/** Time for all of them; then the rest is left out (ms). */
const MEASURE_MS = 150_000;
/** The goal, for all rows that have one. */
const GOAL = 3;

/**
 * @typedef {object} Row
 * @property {string} title
 * @property {number} status
 * @property {(data: Size, number: number) => import('./client.mjs').Sent} request
 * @property {boolean} [hasNoGoal]
 */

/** @typedef {import('./growth-data.mjs').Filled & {count: number, port: number, agent: Agent, folder: string}} Size */

const get = (path) => ({ method: 'GET', path });
const list = (parameters = '') => get(`/organizations?limit=20${parameters}`);
const post = (path, body) => ({ method: 'POST', path, body: JSON.stringify(body) });
/** Other Organizations each time, all over the list. */
const numberOf = ({ count }, number) => Math.floor((number * count) / REQUESTS);
const fields = (name, text) => ({
  name,
  url: 'https://growth.example',
  description: `Changed by the benchmark: ${text}.`,
});

/** @type {Row[]} */
const ROWS = [
  { title: 'GET one', request: (size, at) => get(`/organizations/${size.ids[numberOf(size, at)]}`) },
  { title: 'first page of 20', request: () => list() },
  { title: 'page by `after`, in the middle', request: ({ ids }, at) => list(`&after=${ids[ids.length / 2 + at]}`) },
  { title: 'page by `after`, at the end', request: ({ ids }, at) => list(`&after=${ids[ids.length - 21 - at]}`) },
  { title: '`q` that 20 records match', request: () => list(`&q=${WORD}`), found: FOUND },
  { title: '`q` that no record matches', request: (_size, at) => list(`&q=nothing+has+${at}`), found: 0 },
  {
    title: '`q` that is the name of one User',
    request: (size, at) => get(`/users?q=${usernameOf(numberOf(size, at))}@`),
    found: 1,
  },
  { title: 'PUT', request: (size, at) => put(size, at) },
  { title: 'POST', status: 201, request: (_size, at) => post('/organizations', fields(`Another ${at}`, at)) },
  {
    title: 'POST of a name that is taken',
    status: 409,
    request: (size, at) => post('/organizations', fields(nameOf(numberOf(size, at) + 1).toUpperCase(), at)),
  },
  {
    title: 'login',
    status: 201,
    request: (size, at) => post('/sessions', { username: usernameOf(numberOf(size, at)), password: PASSWORD }),
  },
  {
    title: 'the APIs of one Organization with 1,000, 20 of them',
    request: ({ big }) => get(`/organizations/${big}/apis?limit=20`),
  },
  { title: 'its 500 managers, 20 of them', request: ({ big }) => get(`/organizations/${big}/managers?limit=20`) },
  { title: '`q` of one character, which reads all records', request: () => list('&q=z'), hasNoGoal: true },
];

function put(size, at) {
  const number = numberOf(size, at) + 1;
  return { ...post(`/organizations/${size.ids[number]}`, fields(nameOf(number), at)), method: 'PUT' };
}

/**
 * Runs the benchmark on databases of its own, and stops what it started.
 *
 * @param {object} run
 * @param {import('./options.mjs').Options} run.options
 * @param {string} run.node
 * @param {string} run.folder for files of this run
 * @param {AbortSignal} run.signal
 * @param {string} run.secret
 * @param {(text: string) => void} run.print
 * @returns {Promise<number>} the exit code
 */
export async function runGrowth({ options, print, ...run }) {
  const about = machine(`one connection, medians of ${REQUESTS} requests`, !process.env.MONGODB_URI);
  const started = [];
  try {
    const sizes = [];
    for (const count of options.quick ? QUICK_SIZES : SIZES) {
      sizes.push(
        await step(`Inserting ${count.toLocaleString('en')} Organizations and Users`, () => start(run, count, started)),
      );
    }
    const times = await step('Measuring', () => measure(sizes, run.signal));
    print(`\n${about}\n\n${growthTable(sizes, times)}\n\n${costTable(sizes)}`);
    return 0;
  } finally {
    for (const one of started.toReversed()) await one.stop();
    for (const { agent } of started) agent?.destroy();
  }
}

/** @returns {Promise<Size>} */
async function start(run, count, started) {
  const folder = join(run.folder, String(count));
  mkdirSync(folder);
  const database = await startDatabase(folder);
  started.push(database);
  await seedAdmins({ ...run, uri: database.uri }, { users: 1, organizations: 0, apis: 0 });
  const service = await startService(SERVICES[0], { ...run, folder, uri: database.uri });
  started.push(service);
  const filled = await fill({ uri: database.uri, port: service.port }, count);
  return { ...filled, count, folder, port: service.port, agent: new Agent({ keepAlive: true, maxSockets: 1 }) };
}

/** Sends each request to all databases in turn, so what else the machine does slows down all of them. */
async function measure(sizes, signal) {
  const times = ROWS.map(() => sizes.map(() => []));
  for (const { request } of ROWS) {
    for (let number = 0; number < WARM_UP; number += 1) {
      for (const size of sizes) {
        const sent = request(size, number);
        if (sent.method === 'GET') await send(size.port, { token: size.token, ...sent }, size.agent);
      }
    }
  }
  const end = Date.now() + MEASURE_MS;
  for (const [row, { title, status = 200, request, found }] of ROWS.entries()) {
    for (let number = 0; number < REQUESTS && Date.now() < end; number += 1) {
      signal.throwIfAborted();
      for (const [at, size] of sizes.entries()) {
        const sent = request(size, number);
        const began = performance.now();
        const response = await send(size.port, { token: size.token, ...sent }, size.agent);
        times[row][at].push(performance.now() - began);
        const records = found === undefined ? undefined : JSON.parse(response.text).data.length;
        if (response.status !== status || records !== found) {
          throw new SetupError(`${title}: ${response.status}, ${records} records: ${response.text.slice(0, 500)}`);
        }
      }
    }
    if (Date.now() > end) say(`· The time is over: ${title} and what follows are measured less often, or not at all.`);
  }
  return times;
}

function growthTable(sizes, times) {
  const head = ['p50 ms', ...sizes.map(({ count }) => count.toLocaleString('en')), 'growth', 'goal'];
  const rows = ROWS.map(({ title, hasNoGoal }, row) => {
    const medians = times[row].map(median);
    const growth = medians.at(-1) / medians[0];
    const goal = hasNoGoal ? '' : growth < GOAL ? `✔ < ${GOAL} ×` : `✖ < ${GOAL} ×`;
    return [title, ...medians.map((value) => value.toFixed(2)), `${growth.toFixed(1)} ×`, goal];
  });
  return table([head, ...rows]);
}

/** What the index of `q` costs. */
function costTable(sizes) {
  const head = ['per Organization', ...sizes.map(({ count }) => count.toLocaleString('en'))];
  const of = (title, figure) => [title, ...sizes.map((size) => figure(size))];
  return table([
    head,
    of('insert, ms', ({ cost }) => cost.insertMs.toFixed(2)),
    of('insert without the parts for `q`, ms', ({ cost }) => cost.insertMsWithout.toFixed(2)),
    of('size, bytes', ({ cost }) => cost.bytes.toFixed(0)),
    of('of these the parts for `q`', ({ cost }) => cost.bytesOfGrams.toFixed(0)),
    of('disk of everything, MB', ({ folder }) => diskOf(folder)),
  ]);
}

function diskOf(folder) {
  if (process.env.MONGODB_URI) return '';
  const [kilobytes] = execFileSync('du', ['-sk', join(folder, 'database', 'database')], { encoding: 'utf8' }).split(
    '\t',
  );
  return (Number(kilobytes) / 1024).toFixed(0);
}
