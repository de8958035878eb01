import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Time for a program to end after a signal before it is killed (ms). */
const GRACE_MS = 300_000;

/** A program in a process of its own. Its environment is PATH, HOME, a cache of compiled code, and what it is given. */
export class Program {
  output = '';
  errors = '';
  #child;
  #exited;
  #closed;

  /**
   * @param {readonly string[]} args such as a file for Node.js and its arguments
   * @param {Record<string, string>} [env]
   * @param {string} [cwd] by default elsewhere than in the checkout, which may have a file .env
   * @param {string} [command] another program than Node.js
   */
  constructor(args, env = {}, cwd = tmpdir(), command = process.execPath) {
    const { PATH, HOME, TEST_RUN_DIR } = process.env;
    // Each program starts 0.2 s faster after the first.
    const NODE_COMPILE_CACHE = join(TEST_RUN_DIR ?? tmpdir(), 'compiled');
    const all = { PATH: `${PATH}:/usr/sbin`, HOME, NODE_COMPILE_CACHE, ...env };
    this.#child = spawn(command, args, { cwd, env: all, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#exited = once(this.#child, 'exit');
    this.#closed = once(this.#child, 'close');
    const kill = () => this.#child.kill('SIGKILL');
    process.once('exit', kill);
    this.#child.once('exit', () => process.off('exit', kill));
    this.#child.stdout.on('data', (chunk) => (this.output += chunk.toString()));
    this.#child.stderr.on('data', (chunk) => (this.errors += chunk.toString()));
  }

  /** @returns {number} */
  get pid() {
    return this.#child.pid;
  }

  get isRunning() {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /**
   * Waits until it has written this to stdout or stderr.
   *
   * @param {RegExp} pattern
   * @returns {Promise<RegExpExecArray>}
   * @throws if it ends before
   */
  wrote(pattern) {
    return new Promise((resolve, reject) => {
      const check = () => {
        const match = pattern.exec(this.output) ?? pattern.exec(this.errors);
        if (match) resolve(match);
      };
      for (const stream of [this.#child.stdout, this.#child.stderr]) stream.on('data', check);
      check();
      void this.end().then(() =>
        reject(new Error(`It ended before it wrote ${pattern}:\n${this.output}${this.errors}`)),
      );
    });
  }

  /** @returns {Promise<number | null>} its exit code, once all its output has been read */
  async end() {
    const [code] = await this.#closed;
    return code;
  }

  /**
   * Asks it to stop, and waits until it has ended.
   *
   * @param {NodeJS.Signals} [signal]
   */
  async stop(signal = 'SIGTERM') {
    this.#child.kill(signal);
    const kill = setTimeout(() => this.#child.kill('SIGKILL'), GRACE_MS);
    return this.end().finally(() => clearTimeout(kill));
  }

  /** `kill -9`. What it has started goes on, with its streams. */
  async kill() {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }
}
