/** Loads a service with requests and measures it. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../scripts/lib/paths.mjs';
import { SetupError } from '../scripts/lib/steps.mjs';
import { deleteInserted } from './data.mjs';
import { cpuSeconds, settled } from './process-usage.mjs';

const execute = promisify(execFile);
const SCRIPT = join(ROOT, 'bench', 'load.lua');
/** The share of responses with another status that is accepted: writes that lost a race. */
const MAX_OTHER = 0.002;

/** Counts the measurements: no two use the same numbers. */
let count = 0;

/**
 * Measures a service, and deletes what the requests inserted. wrk stops in the middle of a request on every connection. The
 * service still serves these, so they count for its CPU. Times are in ms, `cpu` in µs per request.
 */
export async function measureLoad(service, databasePid, one, given) {
  const { connections, seconds, accounts = Infinity } = { ...given, ...one.limits };
  count += 1;
  const pids = [service.pid, databasePid].filter((pid) => pid !== undefined);
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', SCRIPT];
  const url = `http://127.0.0.1:${service.port}`;
  const before = cpuSeconds(service.pid);
  const { stdout } = await execute('wrk', [...args, url, '--', ...filesOf(service, one, accounts), `${count}0000000`]);
  const result = JSON.parse(stdout.trim().split('\n').at(-1));
  await settled(pids);
  const used = cpuSeconds(service.pid) - before;
  checkStatuses(service, one, result);
  if (one.inserts) await deleteInserted(service.uri);
  const { requests, seconds: length, p50, p99 } = result;
  return { rps: requests / length, p50, p99, cpu: (used * 1e6) / (requests + connections) };
}

/** Writes the requests and the tokens that wrk sends. */
function filesOf({ name, folder, data }, one, accounts) {
  const lines = one.requests(data).map(({ method, path, body = '' }) => `${method}\t${path}\t${body}`);
  const first = accounts === 1 ? count % data.tokens.length : 0;
  const files = {
    [`${name}-${one.name}.txt`]: lines,
    [`${name}-tokens.txt`]: data.tokens.slice(first, first + accounts),
  };
  return Object.entries(files).map(([file, content]) => {
    writeFileSync(join(folder, file), content.map((line) => `${line}\n`).join(''));
    return join(folder, file);
  });
}

function checkStatuses({ title, errors }, { name, status }, { requests, errorStatuses, socketErrors }) {
  if (requests === 0) throw new SetupError(`${title}, ${name}: no responses.`);
  const others = Math.abs(errorStatuses - (status >= 400 ? requests : 0)) + socketErrors;
  if (others <= Math.max(1, requests * MAX_OTHER)) return;
  throw new SetupError(`${title}, ${name}: ${others} of ${requests} responses were not ${status}. ${errors()}`);
}
