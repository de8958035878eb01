/** Memory over time, and requests that need much of it: long lists, uploads, many logins. Roster only. */
import { deflateSync } from 'node:zlib';
import { say, SetupError, step } from '../scripts/lib/steps.mjs';
import { CASES } from './cases.mjs';
import { send } from './client.mjs';
import { createData, deleteInserted, PASSWORD, startDatabase } from './data.mjs';
import { median } from './figures.mjs';
import { Load } from './load.mjs';
import { memory } from './process-usage.mjs';
import { machine, table } from './report.mjs';
import { SERVICES, startService } from './services.mjs';

/** R1 to R6 in turn, for so many seconds each. */
const MIXED = CASES.filter(({ name }) => name <= 'R6');
const SECONDS = 10;
const MINUTES = 10;
const QUICK = { seconds: 2, minutes: 1 };

const UPLOADS = 20;
const UPLOAD_BYTES = 1024 * 1024;
const LOGINS = 20;
/** How often that many log in at once. */
const LOGIN_ROUNDS = 5;
/** R1 while they log in: requests per second. */
const RATE = 200;
const BOUNDARY = 'roster-bench';

const LIST_OF_100 = {
  name: 'list-of-100',
  status: 200,
  requests: () => [{ method: 'GET', path: '/organizations?limit=100' }],
};

/**
 * Runs the benchmark on a database of its own, and stops what it started.
 *
 * @param {Parameters<typeof import('./growth.mjs').runGrowth>[0]} run
 * @returns {Promise<number>} the exit code
 */
export async function runMemory({ options, print, ...run }) {
  const { seconds, minutes } = options.quick ? QUICK : { seconds: SECONDS, minutes: MINUTES };
  const how = `${options.connections} connections; R1 to R6 in turn, ${seconds} s each, for ${minutes} min`;
  const about = machine(how, !process.env.MONGODB_URI);
  const database = await step('Starting the database', () => startDatabase(run.folder));
  let service;
  try {
    const { uri, pid: databasePid } = database;
    const data = await createData({ ...run, uri });
    service = await startService({ ...SERVICES[0], settings: { TRUST_PROXY: '1' } }, { ...run, uri });
    const load = new Load({ ...run, data, databasePid });
    const bench = { service, load, data, uri, signal: run.signal, connections: options.connections };
    const rows = await mixedLoad(bench, { seconds, minutes });
    print(`\n${about}\n\n${table([['minutes', 'RSS MiB', 'peak MiB'], ...rows])}`);
    print(`\n${table(await largeRequests(bench))}`);
    return 0;
  } finally {
    await service?.stop();
    await database.stop();
  }
}

/** @returns {Promise<string[][]>} minutes since the start, memory and its peak, after each turn of all cases */
async function mixedLoad({ service, load, uri, signal, connections }, { seconds, minutes }) {
  const began = Date.now();
  const rows = [];
  const elapsed = () => (Date.now() - began) / 60_000;
  while (elapsed() < minutes) {
    for (const one of MIXED) {
      signal.throwIfAborted();
      await load.closed(service, one, { connections, seconds });
      if (one.inserts) await deleteInserted(uri);
    }
    rows.push([elapsed().toFixed(1), ...used(service)]);
    say(`· ${rows.at(-1).join(', ')}`);
  }
  return rows;
}

/** @returns {Promise<string[][]>} */
async function largeRequests({ service, load, data, connections }) {
  const lists = await load.closed(service, LIST_OF_100, { connections, seconds: SECONDS });
  const rows = [
    ['', 'p50 ms', 'longest ms', 'CPU µs', 'RSS MiB', 'peak MiB'],
    [`list of 100, ${connections} connections`, ms(lists.p50), '', lists.cpu.toFixed(0), ...used(service)],
  ];
  for (const [title, atOnce] of [
    ['upload of 1 MiB', 1],
    [`${UPLOADS} uploads of 1 MiB at once`, UPLOADS],
  ]) {
    const times = await uploads(service.port, data, atOnce);
    rows.push([title, ms(median(times)), ms(Math.max(...times)), '', ...used(service)]);
  }
  const reading = load.constantRate(service, CASES[0], { rate: RATE, seconds: SECONDS });
  const times = [];
  for (let round = 0; round < LOGIN_ROUNDS; round += 1) times.push(...(await logins(service.port, round)));
  const { p50, p99 } = await reading;
  rows.push([`${LOGINS} logins at once`, ms(median(times)), ms(Math.max(...times)), '', ...used(service)]);
  rows.push([`meanwhile R1, ${RATE} per second (p99 instead of the longest)`, ms(p50), ms(p99), '', '', '']);
  return rows;
}

const ms = (value) => value.toFixed(1);

function used({ pid }) {
  const { rss, peak } = memory(pid);
  return [rss.toFixed(0), peak.toFixed(0)];
}

/** Uploads images and deletes them. @returns {Promise<number[]>} how long each upload took (ms) */
async function uploads(port, { tokens }, atOnce) {
  const times = [];
  const headers = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };
  const body = multipart(image(UPLOAD_BYTES));
  const uploadOne = async (token) => {
    const { text } = await timed(times, 201, () =>
      send(port, { method: 'POST', path: '/files', token, body, headers }),
    );
    await send(port, { method: 'DELETE', path: `/files/${JSON.parse(text).data._id}`, token });
  };
  for (let first = 0; first < UPLOADS; first += atOnce) {
    await Promise.all(tokens.slice(first, first + atOnce).map(uploadOne));
  }
  return times;
}

/** From addresses of their own, because one address can only have a few logins waiting. */
async function logins(port, round) {
  const times = [];
  const logIn = (number) => {
    const body = JSON.stringify({ username: `demo-user-${number + 1}`, password: PASSWORD });
    const headers = { 'X-Forwarded-For': `10.0.${round}.${number}` };
    return timed(times, 201, () => send(port, { method: 'POST', path: '/sessions', body, headers }));
  };
  await Promise.all(Array.from({ length: LOGINS }, (_, number) => logIn(number)));
  return times;
}

async function timed(times, status, work) {
  const began = performance.now();
  const response = await work();
  times.push(performance.now() - began);
  if (response.status === status) return response;
  throw new SetupError(`The response was ${response.status}: ${response.text.slice(0, 500)}`);
}

/** A PNG of one pixel with so many bytes; the service reads its dimensions and does not decode it. */
function image(size) {
  const header = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010800000000', 'hex');
  return Buffer.concat([header, deflateSync(Buffer.alloc(2)), Buffer.alloc(size)], size);
}

function multipart(content) {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="image.png"\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
}
