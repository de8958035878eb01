import { execFileSync } from 'node:child_process';
import { temporaryFolder } from './database.mjs';
import { freePort } from '../../../scripts/lib/free-port.mjs';
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
    const address = ['--port', String(this.port), '--bind', '127.0.0.1'];
    const options = [...address, '--save', '', '--maxmemory-policy', 'noeviction'];
    this.#program = new Program(options, {}, temporaryFolder(), 'redis-server');
    await until(() => this.#command('PING') === 'PONG', 'Redis responds');
  }

  /** `kill -9`. */
  kill() {
    return this.#program.stop('SIGKILL');
  }

  halt() {
    process.kill(this.#program.pid, 'SIGSTOP');
  }

  goOn() {
    process.kill(this.#program.pid, 'SIGCONT');
  }

  /** Makes it refuse every write for lack of memory. */
  fill() {
    this.#command('CONFIG', 'SET', 'maxmemory', '1');
  }

  empty() {
    this.#command('CONFIG', 'SET', 'maxmemory', '0');
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
