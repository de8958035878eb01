/** Memory over time, and requests that need much of it: long lists, uploads, many logins. Roster only. */
import { deflateSync } from 'node:zlib';
import { say, step } from '../scripts/lib/steps.mjs';
import { CASES } from './cases.mjs';
import { send } from './client.mjs';
import { createData, deleteInserted, expected, login, startDatabase } from './data.mjs';
import { Load } from './load.mjs';
import { memory } from './process-usage.mjs';
import { machine, median, table } from './report.mjs';
import { ROSTER, startService } from './services.mjs';

/** R1 to R6 in turn, for so many seconds each. */
const MIXED = CASES.filter(({ name }) => name <= 'R6');
const FULL = { seconds: 10, minutes: 10 };
const QUICK = { seconds: 2, minutes: 1 };

/** How many at once. */
const UPLOADS = 20;
const LOGINS = 20;
/** How often that many log in at once. */
const LOGIN_ROUNDS = 5;
/** R1 while they log in: so many connections. */
const READING = 4;
const BOUNDARY = 'roster-bench';

const LIST_OF_100 = {
  name: 'list-of-100',
  status: 200,
  requests: () => [{ method: 'GET', path: '/organizations?limit=100' }],
};

export async function measure({ options, print, ...run }) {
  const { connections, quick } = options;
  const { seconds, minutes } = quick ? QUICK : FULL;
  const about = machine(`${connections} connections; R1 to R6 in turn, ${seconds} s each, for ${minutes} min`);
  const { uri, pid, stop } = await step('Starting the database', () => startDatabase(run.folder));
  run.atEnd(stop);
  const data = await createData({ ...run, uri });
  const service = await startService(ROSTER, { ...run, uri, settings: { TRUST_PROXY: '1' } });
  run.atEnd(service.stop);
  const load = new Load(run, data, pid);
  const rows = [];
  for (const began = Date.now(); Date.now() - began < minutes * 60_000;) {
    for (const one of MIXED) {
      run.signal.throwIfAborted();
      await load.closed(service, one, { connections, seconds });
      if (one.inserts) await deleteInserted(uri);
    }
    rows.push([((Date.now() - began) / 60_000).toFixed(1), ...used(service)]);
    say(`· ${rows.at(-1).join(', ')}`);
  }
  print(`\n${about}\n\n${table([['minutes', 'RSS MiB', 'peak MiB'], ...rows])}`);
  print(`\n${table(await largeRequests({ service, load, data, connections }))}`);
}

/** @returns {Promise<string[][]>} */
async function largeRequests({ service, load, data, connections }) {
  const ms = (...times) => times.map((time) => time.toFixed(1));
  const list = await load.closed(service, LIST_OF_100, { connections, seconds: FULL.seconds });
  const rows = [
    ['', 'p50 ms', 'longest ms', 'RSS MiB', 'peak MiB'],
    [`list of 100, ${connections} connections`, ...ms(list.p50), '', ...used(service)],
  ];
  const sizes = { 'upload of 1 MiB': 1, [`${UPLOADS} uploads of 1 MiB at once`]: UPLOADS };
  for (const [title, atOnce] of Object.entries(sizes)) {
    const times = await uploads(service.port, data, atOnce);
    rows.push([title, ...ms(median(times), Math.max(...times)), ...used(service)]);
  }
  const reading = load.closed(service, CASES[0], { connections: READING, seconds: FULL.seconds });
  const times = [];
  for (let round = 0; round < LOGIN_ROUNDS; round += 1) times.push(...(await logins(service.port, round)));
  const { p50, p99 } = await reading;
  rows.push([`${LOGINS} logins at once`, ...ms(median(times), Math.max(...times)), ...used(service)]);
  rows.push([`meanwhile R1, ${READING} connections (p99 instead of the longest)`, ...ms(p50, p99), '', '']);
  return rows;
}

function used({ pid }) {
  const { rss, peak } = memory(pid);
  return [rss.toFixed(0), peak.toFixed(0)];
}

/** Uploads images and deletes them. @returns {Promise<number[]>} how long each upload took (ms) */
async function uploads(port, { tokens }, atOnce) {
  const times = [];
  const headers = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };
  const body = multipart(image(2 ** 20));
  const uploadOne = async (token) => {
    const sent = { method: 'POST', path: '/files', token, body, headers };
    const { text } = await timed(times, 201, send(port, sent));
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
  const all = Array.from({ length: LOGINS }, (_, number) =>
    login(`demo-user-${number + 1}`, { 'X-Forwarded-For': `10.0.${round}.${number}` }),
  );
  await Promise.all(all.map((sent) => timed(times, 201, send(port, sent))));
  return times;
}

async function timed(times, status, sending) {
  const began = performance.now();
  const response = await expected(status, sending);
  times.push(performance.now() - began);
  return response;
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
