/** Loads services with requests and measures them. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../scripts/lib/paths.mjs';
import { SetupError, step } from '../scripts/lib/steps.mjs';
import { atEnd } from '../test/chaos/lib/cleanup.mjs';
import { createData, deleteInserted, startDatabase } from './data.mjs';
import { cpuSeconds, settled } from './process-usage.mjs';

const execute = promisify(execFile);
const SCRIPT = join(ROOT, 'bench', 'load.lua');
/** The share of responses with another status that is accepted: writes that lost a race. */
const MAX_OTHER = 0.002;

/**
 * @typedef {{rps: number, p50: number, p99: number, cpu: number, databaseCpu: number, busy: number, database: number}} Figures
 *   requests per second; times (ms); CPU of the service and of an embedded database per request (µs); processors that
 *   they used
 */

/** The database, the records and the services of one run, and the load on them. */
export class Bench {
  #number = 1;

  /** Starts the database and creates the records. */
  static async start(run) {
    const { uri, pid, stop } = await step('Starting the database', () => startDatabase(run.folder));
    atEnd(stop);
    return new Bench({ ...run, uri }, await createData({ ...run, uri }), pid);
  }

  /** Use `start`. @param run `folder`: for the files that wrk reads */
  constructor(run, data, databasePid) {
    Object.assign(this, { run, data, databasePid });
  }

  /**
   * Measures a service, and deletes what the requests inserted. As many requests as the connections can take: each sends
   * the next one when it has the response. wrk stops in the middle of a request on every connection. The service still
   * serves these, so they count for its CPU.
   *
   * @returns {Promise<Figures>}
   */
  async measure(service, one, given) {
    const { connections, seconds, accounts = Infinity } = { ...given, ...one.limits };
    const url = `http://127.0.0.1:${service.port}`;
    const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', SCRIPT, url, '--'];
    const pids = [service.pid, this.databasePid].filter((pid) => pid !== undefined);
    const used = () => pids.map(cpuSeconds);
    const lines = one.requests(this.data).map(({ method, path, body = '' }) => `${method}\t${path}\t${body}`);
    const requests = this.#write(`${service.name}-${one.name}.txt`, lines);
    const first = accounts === 1 ? this.#number % this.data.tokens.length : 0;
    const tokens = this.#write(`${service.name}-tokens.txt`, this.data.tokens.slice(first, first + accounts));
    // No two runs use the same numbers.
    const number = String(this.#number++ * 10_000_000);
    const [began, before] = [performance.now(), used()];
    const { stdout } = await execute('wrk', [...args, requests, tokens, number]);
    const result = JSON.parse(stdout.trim().split('\n').at(-1));
    await settled(pids);
    const elapsed = (performance.now() - began) / 1000;
    const [own, databaseSeconds = NaN] = used().map((seconds, index) => seconds - before[index]);
    const rps = result.requests / result.seconds;
    const [cpu, databaseCpu] = [own, databaseSeconds].map((used) => (used * 1e6) / (result.requests + connections));
    checkStatuses(service, one, result);
    if (one.inserts) await deleteInserted(this.run.uri);
    const { p50, p99 } = result;
    return { rps, p50, p99, cpu, databaseCpu, busy: (cpu * rps) / 1e6, database: databaseSeconds / elapsed };
  }

  #write(name, lines) {
    const file = join(this.run.folder, name);
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
    return file;
  }
}

/** @throws {SetupError} if too many responses have another status */
function checkStatuses({ title, errors }, { name, status }, { requests, errorStatuses, socketErrors }) {
  if (requests === 0) throw new SetupError(`${title}, ${name}: no responses.`);
  const others = Math.abs(errorStatuses - (status >= 400 ? requests : 0)) + socketErrors;
  if (others <= Math.max(1, requests * MAX_OTHER)) return;
  throw new SetupError(`${title}, ${name}: ${others} of ${requests} responses were not ${status}. ${errors()}`);
}
