import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { atEnd } from './cleanup.mjs';

/** Characters of a program's output that are kept. */
const KEPT = 20_000;
/** Time for a program to end after a signal before it is killed (ms). */
const GRACE_MS = 30_000;

/** The programs that run now; killed when this process exits without cleaning up. */
const running = new Set();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** A program that a scenario starts. It is stopped when the scenario ends. */
export class Program {
  /** The end of what it wrote, stdout and stderr together. */
  output = '';

  /**
   * @param {string} command
   * @param {string[]} args
   * @param {{env?: Record<string, string>, cwd?: string}} [options] `env` in addition to PATH and HOME; `cwd` is by
   *   default elsewhere than in the checkout, which may have a file .env
   */
  constructor(command, args, { env = {}, cwd = tmpdir() } = {}) {
    const { PATH, HOME } = process.env;
    this.child = spawn(command, args, { cwd, env: { PATH, HOME, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
    running.add(this.child);
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream.on('data', (chunk) => (this.output = (this.output + chunk).slice(-KEPT)));
    }
    this.child.on('error', (error) => (this.output += error.message));
    this.child.once('exit', () => running.delete(this.child));
    /** Fulfilled with its exit code, once all its output has been read. */
    this.ended = new Promise((resolve) => this.child.once('close', resolve));
    atEnd(() => this.stop('SIGKILL'));
  }

  get pid() {
    return this.child.pid;
  }

  get isRunning() {
    return this.child.pid !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  /**
   * Sends a signal and waits until it has ended.
   *
   * @param {NodeJS.Signals} [signal]
   * @returns {Promise<number | null>} its exit code
   */
  async stop(signal = 'SIGTERM') {
    if (!this.isRunning) return this.child.exitCode;
    const exited = once(this.child, 'exit');
    this.child.kill(signal);
    const kill = setTimeout(() => this.child.kill('SIGKILL'), GRACE_MS);
    const [code] = await exited;
    clearTimeout(kill);
    return code;
  }

  /** The most memory that it has had, in MiB. */
  get peakRss() {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))[1]) / 1024;
  }
}

/**
 * Waits until something holds.
 *
 * @param {() => Promise<boolean> | boolean} holds
 * @param {string} what completes "This did not happen in time:"
 * @param {number} [limitMs]
 * @returns {Promise<number>} how long it took, in seconds
 */
export async function until(holds, what, limitMs = 60_000) {
  const started = performance.now();
  while (!(await holds())) {
    if (performance.now() - started > limitMs) throw new Error(`This did not happen in time: ${what}.`);
    await sleep(20);
  }
  return secondsSince(started);
}

/** @param {number} started a value of `performance.now()` */
export function secondsSince(started) {
  return (performance.now() - started) / 1000;
}
