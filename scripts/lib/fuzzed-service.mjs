import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { EmbeddedDatabase } from '../../tools/embedded-database/database.mjs';
import { DIST } from './paths.mjs';
import { say, SetupError } from './steps.mjs';

const ADMIN = { username: 'admin', email: 'admin@roster.example', password: 'the password of the Admin' };
const MANAGER = { username: 'manager', email: 'manager@roster.example', password: 'the password of a Manager' };
/** Time limit for the start (ms). */
const START_MS = 60_000;
const SETTINGS = {
  NODE_ENV: 'development',
  PORT: '0',
  HOST: '127.0.0.1',
  ADMIN_USERNAME: ADMIN.username,
  ADMIN_EMAIL: ADMIN.email,
  ADMIN_PASSWORD: ADMIN.password,
  RATE_LIMIT_PER_MINUTE: '0',
  LOGIN_RATE_LIMIT_PER_MINUTE: '0',
  ACCESS_TOKEN_TTL: '86400',
  LOG_LEVEL: 'error',
};

/**
 * Starts the built service on a free loopback port and an empty database of its own, without request limits.
 *
 * @param {string} node the Node.js to use
 * @throws {SetupError} if it does not start
 */
export async function startFuzzedService(node) {
  const dataDir = mkdtempSync(join(tmpdir(), 'roster-fuzz-'));
  const database = await EmbeddedDatabase.start({ dataDir, log: say });
  const env = { ...process.env, ...SETTINGS, DATA_DIR: dataDir, MONGODB_URI: database.uri };
  // Not in the checkout: it may contain a file .env.
  const child = spawn(node, [join(DIST, 'main.js')], { cwd: dataDir, env, stdio: ['ignore', 'pipe', 'inherit'] });
  database.serves(child.pid);
  const end = () => child.kill('SIGTERM');
  process.once('exit', end);
  const stop = async () => {
    if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
    process.off('exit', end);
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    return { ...clientOf(await ready(child)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function clientOf(address) {
  return {
    document: `${address}/openapi.json`,
    credentials: (role) => credentials(address, role),
    isGood: (token) => isGood(address, token),
  };
}

function ready(child) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new SetupError('The service did not start in time.')), START_MS);
    child.once('exit', (code) => reject(new SetupError(`The service ended with exit code ${code}.`)));
    createInterface(child.stdout).on('line', (line) => {
      const [, address] = /ready at (http:\S+)/.exec(line) ?? [];
      if (!address) return;
      clearTimeout(late);
      resolve(address);
    });
  });
}

/** Returns a token of the role, and the ids of its account and session. A Manager gets an Organization with an API. */
async function credentials(address, role) {
  if (role === 'nobody') return { token: undefined, ids: [] };
  const admin = await logIn(address, ADMIN);
  if (role === 'admin') return admin;
  if (role !== 'manager') throw new SetupError(`There is no role "${role}".`);
  await post(address, '/users', { ...MANAGER, companyName: 'Managers' }, admin.token);
  const manager = await logIn(address, MANAGER);
  const organization = await post(
    address,
    '/organizations',
    { name: 'Kept', url: 'https://kept.example' },
    manager.token,
  );
  const api = { name: 'Kept', url: 'https://kept.example/api' };
  await post(address, `/organizations/${organization._id}/apis`, api, manager.token);
  return manager;
}

async function logIn(address, { username, password }) {
  const { accessToken, _id, user } = await post(address, '/sessions', { username, password });
  return { token: accessToken, ids: [_id, user._id] };
}

async function post(address, path, body, token) {
  const headers = { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  const response = await fetch(`${address}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (response.status !== 201) throw new SetupError(`POST ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()).data;
}

/** Whether a token still works. */
async function isGood(address, token) {
  const response = await fetch(`${address}/sessions`, { headers: { Authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  return response.ok;
}
