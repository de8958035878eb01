import { join } from 'node:path';
import { DIST } from '../../../scripts/lib/paths.mjs';
import { Client } from './client.mjs';
import { freePort } from '../../../scripts/lib/free-port.mjs';
import { Program, until } from './processes.mjs';

/** The first Admin of every service. */
export const ADMIN = { username: 'admin', password: 'the password of the Admin' };
const SETTINGS = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  MANAGEMENT_PORT: '0',
  JWT_SECRET: 'a secret for the chaos suite and for nothing else',
  ADMIN_USERNAME: ADMIN.username,
  ADMIN_EMAIL: 'admin@roster.example',
  ADMIN_PASSWORD: ADMIN.password,
  RATE_LIMIT_PER_MINUTE: '0',
  ACCESS_TOKEN_TTL: '86400',
  SHUTDOWN_DELAY_MS: '0',
  LOG_LEVEL: 'error',
};

/** The built service in production mode, on a fixed port of the loopback interface. */
export class Service {
  #settings;
  #program;

  /**
   * Starts it and waits until it is ready.
   *
   * @param {string} uri the address of the database
   * @param {Record<string, string>} [settings] in addition to those above
   */
  static async start(uri, settings) {
    const service = new Service(uri, await freePort(), settings);
    await service.restart();
    return service;
  }

  /**
   * @param {string} uri
   * @param {number} port
   * @param {Record<string, string>} [settings]
   */
  constructor(uri, port, settings = {}) {
    this.port = port;
    this.base = `http://127.0.0.1:${port}`;
    this.#settings = { ...SETTINGS, MONGODB_URI: uri, PORT: String(port), ...settings };
  }

  /** Starts it, and returns at once. */
  launch() {
    this.#program = new Program(process.execPath, [join(DIST, 'main.js')], { env: this.#settings });
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
    if (!this.#program.isRunning) throw new Error(`The service ended:\n${this.#program.output}`);
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

  /** `kill -9`. */
  kill() {
    return this.#program.stop('SIGKILL');
  }

  get peakRss() {
    return this.#program.peakRss;
  }

  /** @returns {Promise<Client>} the first Admin */
  admin() {
    return Client.logIn(this.base, ADMIN);
  }

  /**
   * Names the broken invariants of what is stored: `npm run check:data`.
   *
   * @returns {Promise<string[]>}
   */
  async brokenInvariants() {
    const check = new Program(process.execPath, [join(DIST, 'commands', 'main.js'), 'check:data'], {
      env: this.#settings,
    });
    if ((await check.ended) === 0) return [];
    return check.output.trim().split('\n');
  }
}
