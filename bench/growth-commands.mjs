/** Time of the commands and the start, and their memory and the database's, on databases of several sizes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DIST } from '../scripts/lib/paths.mjs';
import { SetupError, step } from '../scripts/lib/steps.mjs';
import { memory, resetPeak } from './process-usage.mjs';
import { table } from './report.mjs';
import { ROSTER, startService } from './services.mjs';

const MAIN = join(DIST, 'commands', 'main.js');
/** Time between two looks at the memory of a command (ms). */
const LOOK_MS = 50;

/** Each returns what it used. */
const ROWS = {
  start,
  export: (run) => command(run, ['export', '-']),
  'check:data': (run) => command(run, ['check:data']),
};

/**
 * Stops the services of the sizes first.
 *
 * @param sizes with `indexBuild`: what the first start used, which built all indexes
 * @returns {Promise<string>} a table
 */
export async function measureCommands(run, sizes) {
  for (const { service } of sizes) await service.stop();
  const rows = [['first start, with all indexes to build', ...sizes.flatMap(({ indexBuild }) => indexBuild)]];
  for (const [title, measure] of Object.entries(ROWS)) {
    const cells = [];
    for (const { count, uri, databasePid } of sizes) {
      if (databasePid) resetPeak(databasePid);
      const use = () => measure({ ...run, uri, databasePid });
      cells.push(...(await step(`${title}, ${count.toLocaleString('en')}`, use)));
    }
    rows.push([title, ...cells]);
  }
  const head = ['', ...sizes.flatMap(({ count }) => [`${count.toLocaleString('en')}: s`, 'MiB', 'database'])];
  return table([head, ...rows]);
}

/**
 * What was used, as cells of the table: seconds, and the most memory (MiB) of a process, by default the peak of the one
 * with this `pid`, and of an embedded database.
 */
export function useOf({ seconds, pid, peak = memory(pid).peak, databasePid }) {
  return [seconds.toFixed(1), peak.toFixed(0), databasePid ? memory(databasePid).peak.toFixed(0) : ''];
}

async function command({ uri, databasePid, secret }, args) {
  const began = performance.now();
  // Without npm, which would print lines of its own to an export.
  const npm = { npm_lifecycle_event: undefined };
  const env = { ...process.env, ...npm, MONGODB_URI: uri, JWT_SECRET: secret, NODE_ENV: 'production' };
  const child = spawn('node', [MAIN, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (errors = `${errors}${text}`.slice(-2000)));
  let peak = 0;
  const look = () => (peak = Math.max(peak, memory(child.pid).peak || 0));
  const timer = setInterval(look, LOOK_MS);
  const [code] = await once(child, 'exit').finally(() => clearInterval(timer));
  if (code !== 0) throw new SetupError(`${args.join(' ')} ended with ${code}: ${errors}`);
  return useOf({ seconds: (performance.now() - began) / 1000, peak, databasePid });
}

async function start(run) {
  const service = await startService(ROSTER, run);
  const use = useOf({ seconds: service.startMs / 1000, pid: service.pid, databasePid: run.databasePid });
  await service.stop();
  return use;
}
