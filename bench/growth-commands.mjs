/** Time of the commands and the start, and their memory and the database's, on databases of several sizes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DIST } from '../scripts/lib/paths.mjs';
import { SetupError, step } from '../scripts/lib/steps.mjs';
import { withDb } from './data.mjs';
import { memory, resetPeak } from './process-usage.mjs';
import { table } from './report.mjs';
import { ROSTER, startService } from './services.mjs';

const MAIN = join(DIST, 'commands', 'main.js');
/** Time between two looks at the memory of a command (ms). */
const LOOK_MS = 50;
/** The indexes of 1,000,000 records take long. */
const START_LIMIT_MS = 7_200_000;

/** Each returns the seconds that it took, and the most memory that it used (MiB). */
const ROWS = {
  start,
  export: (run) => command(run, ['export', '-']),
  'check:data': (run) => command(run, ['check:data']),
  'start that builds all indexes': startWithoutIndexes,
};

/** Stops the services of the sizes first. @returns {Promise<string>} a table */
export async function measureCommands(run, sizes) {
  for (const { service } of sizes) await service.stop();
  const rows = [];
  for (const [title, measure] of Object.entries(ROWS)) {
    const cells = [];
    for (const { count, uri, databasePid } of sizes) {
      if (databasePid) resetPeak(databasePid);
      const use = await step(`${title}, ${count.toLocaleString('en')}`, () => measure({ ...run, uri }));
      const database = databasePid ? memory(databasePid).peak.toFixed(0) : '';
      cells.push(use.seconds.toFixed(1), use.peak.toFixed(0), database);
    }
    rows.push([title, ...cells]);
  }
  const head = ['', ...sizes.flatMap(({ count }) => [`${count.toLocaleString('en')}: s`, 'MiB', 'database'])];
  return table([head, ...rows]);
}

async function command({ uri, secret, signal }, args) {
  const began = performance.now();
  // Without npm, which would print lines of its own to an export.
  const npm = { npm_lifecycle_event: undefined };
  const env = { ...process.env, ...npm, MONGODB_URI: uri, JWT_SECRET: secret, NODE_ENV: 'production' };
  const child = spawn('node', [MAIN, ...args], { env, signal, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (errors = `${errors}${text}`.slice(-2000)));
  let peak = 0;
  const look = () => (peak = Math.max(peak, memory(child.pid).peak || 0));
  const timer = setInterval(look, LOOK_MS);
  const [code] = await once(child, 'exit').finally(() => clearInterval(timer));
  if (code !== 0) throw new SetupError(`${args.join(' ')} ended with ${code}: ${errors}`);
  return { seconds: (performance.now() - began) / 1000, peak };
}

async function start(run) {
  const service = await startService({ ...ROSTER, startLimitMs: START_LIMIT_MS }, run);
  const { peak } = memory(service.pid);
  await service.stop();
  return { seconds: service.startMs / 1000, peak };
}

async function startWithoutIndexes(run) {
  await withDb(run.uri, async (db) => {
    for (const collection of await db.collections()) await collection.dropIndexes();
  });
  return start(run);
}
