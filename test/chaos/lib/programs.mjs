import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { memory } from '../../../bench/process-usage.mjs';
import { freePort } from '../../../scripts/lib/free-port.mjs';
import { COMMANDS, SERVICE, SERVICE_ENV } from '../../../scripts/lib/paths.mjs';
import { daemonFiles, spawnDaemon } from '../../../tools/embedded-database/daemon.mjs';
import { installedBinary } from '../../../tools/embedded-database/install.mjs';
import { uriOf } from '../../../tools/embedded-database/login.mjs';
import { endProcess, identityOf, signalProcess } from '../../../tools/embedded-database/processes.mjs';
import { Client } from '../../support/http-client.mjs';
import { Program } from '../../support/program.mjs';
import { atEnd } from './cleanup.mjs';

/** The first Admin of every service. */
export const ADMIN = { username: 'admin', password: 'the password of the Admin' };
const SETTINGS = {
  ...SERVICE_ENV,
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  MANAGEMENT_PORT: '0',
  JWT_SECRET: 'a secret for the chaos suite and for nothing else',
  ADMIN_PASSWORD: ADMIN.password,
  RATE_LIMIT_PER_MINUTE: '0',
  ACCESS_TOKEN_TTL: '86400',
  SHUTDOWN_DELAY_MS: '0',
  LOG_LEVEL: 'error',
};

/** Starts a program that is stopped when the scenario ends. @param {ConstructorParameters<typeof Program>} args */
export function start(...args) {
  const program = new Program(...args);
  atEnd(() => program.stop('SIGKILL'));
  return program;
}

/** @returns {string} a folder that is deleted when the scenario ends */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'roster-chaos-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Waits until something holds.
 *
 * @param {string} what completes "This did not happen in time:"
 * @returns {Promise<number>} how long it took, in seconds
 */
export async function until(holds, what, limitMs = 60_000) {
  const started = performance.now();
  while (!(await holds())) {
    if (performance.now() - started > limitMs) throw new Error(`This did not happen in time: ${what}.`);
    await sleep(20);
  }
  return (performance.now() - started) / 1000;
}

/** Calls it again and again for so many seconds, with a pause (ms) after each call. @returns what the calls returned */
export async function repeat(seconds, pauseMs, work) {
  const results = [];
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await sleep(pauseMs))
    results.push(await work());
  return results;
}

/**
 * An embedded database that a scenario kills, halts and starts again as often as it likes, always at the same address.
 * What it has acknowledged is on disk. It asks for no login.
 */
export class Database {
  #files;
  #port = 0;
  #pid = 0;

  static async start(dataDir = temporaryFolder()) {
    const database = new Database();
    database.#files = daemonFiles(dataDir);
    process.once('exit', () => database.signal('SIGKILL'));
    atEnd(() => database.kill());
    await database.restart();
    return database;
  }

  /** Its address for mongoose. */
  get uri() {
    return uriOf(this.#port);
  }

  /** The most memory that it has had, in MiB. */
  get peakRss() {
    return memory(this.#pid).peak;
  }

  /** Starts it after `kill`, and waits until it listens. */
  async restart() {
    const options = { syncOnCommit: true, auth: false, port: this.#port };
    const { pid, listening } = spawnDaemon(installedBinary(), this.#files, options);
    this.#pid = pid;
    this.#port = await listening;
  }

  /** `kill -9`, and waits until it has ended. */
  async kill() {
    const identity = identityOf(this.#pid);
    this.signal('SIGKILL');
    this.#pid = 0;
    await endProcess(identity, 0);
  }

  /** @param {NodeJS.Signals} name SIGSTOP, after which it does not respond, and SIGCONT, which ends that */
  signal(name) {
    if (this.#pid > 0) signalProcess(this.#pid, name);
  }
}

/** The built service in production mode, on a fixed port of the loopback interface. */
export class Service {
  #settings;
  #command;
  #program;

  /** @param {[args: string[], command?: string]} [command] that starts it */
  static async start(uri, settings = {}, command = [[SERVICE]]) {
    const service = new Service();
    service.port = await freePort();
    service.base = `http://127.0.0.1:${service.port}`;
    service.#settings = { ...SETTINGS, MONGODB_URI: uri, PORT: String(service.port), ...settings };
    service.#command = command;
    await service.restart();
    return service;
  }

  /** Starts it, and does not wait. */
  launch() {
    const [args, command] = this.#command;
    this.#program = start(args, this.#settings, undefined, command);
  }

  /** Starts it and waits until it is ready. */
  async restart() {
    this.launch();
    await this.untilReady();
  }

  /** @returns {Promise<number>} how long it took, in seconds */
  async untilReady() {
    const isReadyOrGone = async () => !this.#program.isRunning || (await this.readiness()) === 200;
    const seconds = await until(isReadyOrGone, 'the service is ready');
    if (!this.#program.isRunning) throw new Error(`The service ended:\n${this.#program.output}${this.#program.errors}`);
    return seconds;
  }

  /** @returns {Promise<number>} the status of `GET /health/ready`; 0 without a response */
  async readiness() {
    return (await new Client(this.base, { keepAlive: false }).get('/health/ready')).status;
  }

  /** @returns {Promise<number>} how long it takes until reads and writes of an Admin work (s) */
  untilBack(client) {
    const post = () => client.send('POST', '/organizations', { name: `Back ${performance.now()}` });
    const works = async () => (await client.get('/organizations')).status === 200 && (await post()).status === 201;
    return until(works, 'reads and writes work again');
  }

  /** @param {NodeJS.Signals} [signal] */
  stop(signal) {
    return this.#program.stop(signal);
  }

  /** The most memory that it has had, in MiB. */
  get peakRss() {
    return memory(this.#program.pid).peak;
  }

  /** @returns {Promise<Client>} the first Admin */
  admin() {
    return Client.logIn(this.base, ADMIN);
  }

  /** @returns {Promise<string[]>} the broken invariants of what is stored, by `npm run check:data` */
  async brokenInvariants() {
    const check = start([COMMANDS, 'check:data'], this.#settings);
    if ((await check.end()) === 0) return [];
    return (check.output + check.errors).trim().split('\n');
  }
}

/** Starts a service on a database of its own. */
export async function startService(settings, dataDir, command) {
  const database = await Database.start(dataDir);
  return { database, service: await Service.start(database.uri, settings, command) };
}
