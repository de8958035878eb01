import { execFileSync } from 'node:child_process';
import { freePort } from '../../../scripts/lib/free-port.mjs';
import { temporaryFolder } from './database.mjs';
import { Program, until } from './processes.mjs';

/** A Redis server of its own, which keeps nothing on disk. */
export class Redis {
  #program;

  static async start() {
    const redis = new Redis(await freePort());
    await redis.restart();
    return redis;
  }

  constructor(port) {
    this.port = port;
    this.url = `redis://127.0.0.1:${port}`;
  }

  /** Starts it, empty, and waits until it responds. */
  async restart() {
    const options = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', ''];
    this.#program = new Program(options, {}, temporaryFolder(), 'redis-server');
    await until(() => this.#command('PING') === 'PONG', 'Redis responds');
  }

  /** @param {NodeJS.Signals} name SIGKILL, or SIGSTOP and SIGCONT to make it hang and go on */
  signal(name) {
    process.kill(this.#program.pid, name);
  }

  /** Tells whether requests of an address have been counted here within the last minute. */
  counts(address) {
    return this.#command('EXISTS', `roster:request:${address}`) === '1';
  }

  #command(...words) {
    try {
      return execFileSync('redis-cli', ['-p', String(this.port), ...words], { encoding: 'utf8', stdio: 'pipe' }).trim();
    } catch (error) {
      return String(error.stderr);
    }
  }
}
