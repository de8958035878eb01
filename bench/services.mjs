/** Starts and stops the services that are compared. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../scripts/lib/free-port.mjs';
import { CACHE, DIST, ROOT } from '../scripts/lib/paths.mjs';
import { SetupError } from '../scripts/lib/steps.mjs';
import { send } from './client.mjs';

/** Time limits for the start and for the end (ms). */
const START_MS = 30_000;
const STOP_MS = 5_000;
const POLL_MS = 5;

/**
 * @typedef {{name: string, title: string, program: string, flags?: string[], settings?: Record<string, string>}} Definition
 *   `flags` of Node.js, `settings` in addition to those of all services
 */

const PEERS = join(ROOT, 'bench', 'peers');

/** Of the image and of `npm start`. */
const FLAGS = ['--max-semi-space-size=32', '--max-old-space-size=1024'];

/** @type {Definition[]} */
export const SERVICES = [
  { name: 'roster', title: 'Roster', program: join(DIST, 'main.js'), flags: FLAGS },
  { name: 'raw', title: 'Fastify + driver', program: join(PEERS, 'fastify', 'raw.mjs') },
  { name: 'limit', title: 'with batched reads', program: join(PEERS, 'fastify', 'limit.mjs') },
  { name: 'express', title: 'Express + Mongoose', program: join(PEERS, 'express', 'main.mjs') },
  { name: 'nest', title: 'textbook Nest', program: join(CACHE, 'bench', 'peers', 'nest', 'main.js') },
];

/** The whole environment of all services. Limits are off, because all requests come from one address. */
const SETTINGS = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  MANAGEMENT_PORT: '0',
  ACCESS_TOKEN_TTL: '86400',
  RATE_LIMIT_PER_MINUTE: '0',
  LOGIN_RATE_LIMIT_PER_MINUTE: '0',
};

/** A running service. */
export class Service {
  /**
   * @param {Definition} definition
   * @param {import('node:child_process').ChildProcess} child
   * @param {number} port
   * @param {string} errors the file with what it printed to stderr
   * @param {number} startMs from the start of the process to the first response with status 200
   */
  constructor(definition, child, port, errors, startMs) {
    this.definition = definition;
    this.name = definition.name;
    this.port = port;
    this.errors = errors;
    this.startMs = startMs;
    this.child = child;
  }

  get pid() {
    return this.child.pid ?? 0;
  }

  stop() {
    return end(this.child);
  }
}

/**
 * Starts a service and waits for the first response with status 200.
 *
 * @param {Definition} definition
 * @param {object} run
 * @param {string} run.node the Node.js to use
 * @param {string} run.folder for the errors that it prints; also its working folder, which has no `.env`
 * @param {string} run.uri the database
 * @param {string} run.secret signs access tokens
 * @param {AbortSignal} run.signal
 * @param {import('./client.mjs').Sent} [probe] by default, whether it is ready
 * @throws {SetupError} if it does not start
 */
export async function startService(definition, { node, folder, uri, secret, signal }, probe) {
  const port = await freePort();
  const own = { PORT: String(port), MONGODB_URI: uri, JWT_SECRET: secret, DATA_DIR: folder };
  const errors = join(folder, `${definition.name}.log`);
  const log = openSync(errors, 'w');
  const started = performance.now();
  const child = spawn(node, [...(definition.flags ?? []), definition.program], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...SETTINGS, ...definition.settings, ...own },
    stdio: ['ignore', 'ignore', log],
  });
  closeSync(log);
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  try {
    await ready(child, port, probe, signal);
  } catch (error) {
    await end(child);
    throw new SetupError(`${definition.title}: ${error.message}\n${readFileSync(errors, 'utf8').slice(-2000)}`);
  }
  return new Service(definition, child, port, errors, performance.now() - started);
}

async function ready(child, port, probe = { method: 'GET', path: '/health/ready' }, signal) {
  for (const deadline = Date.now() + START_MS; ; await delay(POLL_MS)) {
    signal.throwIfAborted();
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('It ended during the start.');
    if (Date.now() > deadline) throw new Error('It did not start in time.');
    const response = await send(port, probe).catch(() => undefined);
    if (response?.status === 200) return;
  }
}

async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(late);
}
