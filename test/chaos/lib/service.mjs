import { COMMANDS, SERVICE, SERVICE_ENV, SERVICE_FLAGS } from '../../../scripts/lib/paths.mjs';
import { Client } from '../../support/http-client.mjs';
import { Database } from './database.mjs';
import { freePort } from '../../../scripts/lib/free-port.mjs';
import { Program, until } from './processes.mjs';

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

/**
 * Starts a service on a database of its own.
 *
 * @param {Record<string, string>} [settings]
 * @param {string} [dataDir]
 * @param {import('./small-memory.mjs').SmallMemory} [memory] the service runs in it, as in a container
 */
export async function startService(settings, dataDir, memory) {
  const database = await Database.start(dataDir);
  return { database, service: await Service.start(database.uri, settings, memory) };
}

/** The built service in production mode, on a fixed port of the loopback interface. */
export class Service {
  #settings;
  #memory;
  #program;

  static async start(uri, settings, memory) {
    const service = new Service(uri, await freePort(), settings, memory);
    await service.restart();
    return service;
  }

  constructor(uri, port, settings = {}, memory = undefined) {
    this.#memory = memory;
    this.port = port;
    this.base = `http://127.0.0.1:${port}`;
    this.#settings = { ...SETTINGS, MONGODB_URI: uri, PORT: String(port), ...settings };
  }

  /** Starts it, and does not wait. */
  launch() {
    const [args, command] = this.#memory?.command([...SERVICE_FLAGS, SERVICE]) ?? [[SERVICE]];
    this.#program = new Program(args, this.#settings, undefined, command);
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
    const { status } = await new Client(this.base, { keepAlive: false }).send('GET', '/health/ready');
    return status;
  }

  /** @param {NodeJS.Signals} [signal] */
  stop(signal) {
    return this.#program.stop(signal);
  }

  get peakRss() {
    return this.#program.peakRss;
  }

  /** @returns {Promise<Client>} the first Admin */
  admin() {
    return Client.logIn(this.base, ADMIN);
  }

  /** @returns {Promise<string[]>} the broken invariants of what is stored, by `npm run check:data` */
  async brokenInvariants() {
    const check = new Program([COMMANDS, 'check:data'], this.#settings);
    if ((await check.end()) === 0) return [];
    return (check.output + check.errors).trim().split('\n');
  }
}
