import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Program as AnyProgram } from '../../support/program.mjs';
import { atEnd } from './cleanup.mjs';

/** The programs that run now; killed when this process exits without cleaning up. */
const running = new Set();
process.once('exit', () => running.forEach((program) => void program.kill()));

/** A program that a scenario starts. It is stopped when the scenario ends. */
export class Program extends AnyProgram {
  /** @param {ConstructorParameters<typeof AnyProgram>} args */
  constructor(...args) {
    super(...args);
    running.add(this);
    void this.end().then(() => running.delete(this));
    atEnd(() => this.stop('SIGKILL'));
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

/**
 * Calls it again and again for so many seconds, with a pause (ms) after each call.
 *
 * @template T
 * @param {() => T | Promise<T>} work
 * @returns {Promise<T[]>} what the calls returned
 */
export async function repeat(seconds, pauseMs, work) {
  const results = [];
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await sleep(pauseMs)) {
    results.push(await work());
  }
  return results;
}

/** @param {number} started a value of `performance.now()` */
export function secondsSince(started) {
  return (performance.now() - started) / 1000;
}
