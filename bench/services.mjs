/** The services that are compared: starts, stops and calls them. */
import { spawn } from 'node:child_process';
import { basename, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../scripts/lib/free-port.mjs';
import { ROOT, SERVICE, SERVICE_ENV, SERVICE_FLAGS } from '../scripts/lib/paths.mjs';
import { SetupError } from '../scripts/lib/steps.mjs';
import { atEnd } from '../test/chaos/lib/cleanup.mjs';
import { endProcess, identityOf } from '../tools/embedded-database/processes.mjs';

/** Time limits for the start and for the end (ms). */
const START_MS = 60_000;
const STOP_MS = 15_000;
const POLL_MS = 5;

export const ROSTER = { name: 'roster', title: 'Roster', program: SERVICE, flags: SERVICE_FLAGS, env: SERVICE_ENV };
export const RAW = { name: 'raw', title: 'Fastify + driver', program: join(ROOT, 'bench', 'raw', 'main.mjs') };
export const buildIn = (checkout) => ({
  ...ROSTER,
  name: 'other',
  title: basename(resolve(checkout)),
  program: resolve(checkout, 'dist', 'main.js'),
});

export const ADMIN = { username: 'admin', password: 'the password of the benchmark' };
/** The whole environment of all services. Limits are off, because all requests come from one address. */
const SETTINGS = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  MANAGEMENT_PORT: '0',
  ACCESS_TOKEN_TTL: '86400',
  RATE_LIMIT_PER_MINUTE: '0',
  LOGIN_RATE_LIMIT_PER_MINUTE: '0',
  ADMIN_PASSWORD: ADMIN.password,
};

/**
 * Starts a service and waits for the first response with status 200, which takes `startMs`. It stops with the run at the
 * latest. Its working folder is that of the run, which has no `.env`.
 */
export async function startService(definition, run, probe = { method: 'GET', path: '/health/ready' }) {
  const port = await freePort();
  const own = { PORT: String(port), MONGODB_URI: run.uri, JWT_SECRET: run.secret, DATA_DIR: run.folder };
  const started = performance.now();
  const child = spawn('node', [...(definition.flags ?? []), definition.program], {
    cwd: run.folder,
    env: { PATH: process.env.PATH, ...SETTINGS, ...definition.env, ...own },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (errors = `${errors}${text}`.slice(-2000)));
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const identity = identityOf(child.pid);
  const stop = () => endProcess(identity, STOP_MS);
  atEnd(stop);
  child.once('exit', () => process.off('exit', kill));
  try {
    await ready(child, port, probe);
  } catch (error) {
    await stop();
    throw new SetupError(`${definition.title}: ${error.message}\n${errors}`);
  }
  const startMs = performance.now() - started;
  return { ...definition, ...run, port, pid: child.pid, startMs, errors: () => errors, stop };
}

async function ready(child, port, probe) {
  for (const deadline = Date.now() + START_MS; ; await delay(POLL_MS)) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('It ended during the start.');
    if (Date.now() > deadline) throw new Error('It did not start in time.');
    const response = await send(port, probe).catch(() => undefined);
    if (response?.status === 200) return;
  }
}

/** Sends a request to a service on this machine. Requests that come one after another share a connection. */
async function send(port, { method, path, body, token, headers }) {
  const all = {
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...headers,
  };
  const signal = AbortSignal.timeout(10_000);
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, body, headers: all, signal });
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
}

/** @throws {SetupError} if the response has another status than the request should get */
export async function expected(status, port, sent) {
  const response = await send(port, sent);
  if (response.status === status) return response;
  const { method, path } = sent;
  throw new SetupError(`${method} ${path}: ${response.status} instead of ${status}: ${response.text.slice(0, 500)}`);
}
