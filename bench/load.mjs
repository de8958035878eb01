/** Loads a service with requests and measures it. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../scripts/lib/paths.mjs';
import { SetupError } from '../scripts/lib/steps.mjs';
import { cpuSeconds, settled } from './process-usage.mjs';

const execute = promisify(execFile);
const SCRIPT = join(ROOT, 'bench', 'load.lua');
const GENERATOR = join(ROOT, 'bench', 'constant-rate.mjs');
/** The share of responses with another status that is accepted: writes that lost a race. */
const MAX_OTHER = 0.002;

/**
 * @typedef {object} Figures
 * @property {number} rps requests per second
 * @property {number} p50 in milliseconds
 * @property {number} p99
 * @property {number} cpu of the service per request, in microseconds
 * @property {number} busy how many processors the service used
 * @property {number | undefined} database how many an embedded database used
 * @property {number} other the share of responses with another status than expected
 */

/** Runs load on the services of one run. */
export class Load {
  #number = 1;

  /**
   * @param {object} run
   * @param {string} run.folder for the files that the load generators read
   * @param {string} run.node
   * @param {import('./data.mjs').Data} run.data
   * @param {number | undefined} run.databasePid
   * @param {AbortSignal} run.signal
   */
  constructor(run) {
    this.run = run;
    this.tokens = join(run.folder, 'tokens.txt');
    writeFileSync(this.tokens, run.data.tokens.map((token) => `${token}\n`).join(''));
  }

  /**
   * As many requests as the connections can take: each sends the next one when it has the response. wrk stops in the
   * middle of a request on every connection. The service still serves these, so they count for its CPU.
   *
   * @param {import('./services.mjs').Service} service
   * @param {import('./cases.mjs').Case} one
   * @param {{connections: number, seconds: number, maxOther?: number}} size `maxOther`: the share of responses with
   *   another status that is accepted
   * @returns {Promise<Figures>}
   */
  async closed(service, one, { connections, seconds, maxOther }) {
    const command = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', SCRIPT];
    const url = `http://127.0.0.1:${service.port}`;
    const args = [...command, url, '--', this.#requestsFile(one), this.tokens, this.#firstNumber()];
    const { result, ...used } = await this.#measured(service, async () => lastLine(await this.#execute('wrk', args)));
    const other = check(service, one, result, maxOther);
    return { ...toFigures(result, used, result.requests + connections), other };
  }

  /**
   * Requests at a constant rate. The times count from the moment when a request was due.
   *
   * @param {import('./services.mjs').Service} service
   * @param {import('./cases.mjs').Case} one
   * @param {{rate: number, seconds: number}} size
   * @returns {Promise<Figures>}
   */
  async constantRate(service, one, { rate, seconds }) {
    const size = [String(service.port), String(rate), String(seconds)];
    const args = [GENERATOR, ...size, this.#requestsFile(one), this.tokens, this.#firstNumber()];
    const { result, ...used } = await this.#measured(service, async () =>
      lastLine(await this.#execute(this.run.node, args)),
    );
    const other = check(service, one, result);
    return { ...toFigures(result, used, result.requests), other };
  }

  async #measured(service, work) {
    const { databasePid, signal } = this.run;
    const databaseCpu = () => (databasePid === undefined ? NaN : cpuSeconds(databasePid));
    const before = { cpu: cpuSeconds(service.pid), database: databaseCpu(), at: performance.now() };
    const result = await work();
    await settled(databasePid === undefined ? [service.pid] : [service.pid, databasePid], signal);
    const seconds = (performance.now() - before.at) / 1000;
    const database = databasePid === undefined ? undefined : (databaseCpu() - before.database) / seconds;
    return { result, cpu: cpuSeconds(service.pid) - before.cpu, database };
  }

  async #execute(command, args) {
    const { signal } = this.run;
    try {
      return (await execute(command, args, { signal, killSignal: 'SIGKILL' })).stdout;
    } catch (error) {
      if (error.code === 'ENOENT') throw new SetupError('wrk is not installed: apt-get install wrk.');
      throw error;
    }
  }

  #requestsFile({ name, requests }) {
    const file = join(this.run.folder, `${name}.txt`);
    const lines = requests(this.run.data).map(({ method, path, body = '' }) => `${method}\t${path}\t${body}\n`);
    writeFileSync(file, lines.join(''));
    return file;
  }

  /** No two runs of a generator use the same numbers. */
  #firstNumber() {
    return String(this.#number++ * 10_000_000);
  }
}

/** @param {number} served how many requests the service worked on */
function toFigures({ requests, seconds, p50, p99 }, { cpu, database }, served) {
  const rps = requests / seconds;
  const cpuPerRequest = cpu / served;
  return { rps, p50, p99, cpu: cpuPerRequest * 1e6, busy: cpuPerRequest * rps, database };
}

function lastLine(output) {
  return JSON.parse(output.trim().split('\n').at(-1));
}

/** @returns {number} the share of responses with another status @throws {SetupError} if it is too large */
function check({ definition, errors }, { name, status }, result, maxOther = MAX_OTHER) {
  const { requests, errorStatuses, socketErrors } = result;
  if (requests === 0) throw new SetupError(`${definition.title}, ${name}: no responses.`);
  const expected = status >= 400 ? requests : 0;
  const others = Math.abs(errorStatuses - expected) + socketErrors;
  if (others <= Math.max(1, requests * maxOther)) return others / requests;
  const printed = readFileSync(errors, 'utf8').slice(-2000);
  throw new SetupError(
    `${definition.title}, ${name}: ${others} of ${requests} responses were not ${status}. ${printed}`,
  );
}
