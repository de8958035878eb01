import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { EmbeddedDatabase } from '../../tools/embedded-database/database.mjs';
import { DIST } from './paths.mjs';
import { say, SetupError } from './steps.mjs';

export const ADMIN = { username: 'admin', email: 'admin@roster.example', password: 'the password of the Admin' };
/** Time limit for the start (ms). */
const START_MS = 60_000;
const SETTINGS = {
  NODE_ENV: 'development',
  PORT: '0',
  HOST: '127.0.0.1',
  ADMIN_USERNAME: ADMIN.username,
  ADMIN_EMAIL: ADMIN.email,
  ADMIN_PASSWORD: ADMIN.password,
  LOG_LEVEL: 'error',
};

/**
 * Starts the built service on a free loopback port and an empty database of its own.
 *
 * @param {string} node the Node.js to use
 * @throws {SetupError} if it does not start
 */
export async function startOwnService(node, settings) {
  const dataDir = mkdtempSync(join(tmpdir(), 'roster-own-'));
  const database = await EmbeddedDatabase.start({ dataDir, log: say });
  const env = { ...process.env, ...SETTINGS, ...settings, DATA_DIR: dataDir, MONGODB_URI: database.uri };
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
    return { address: await ready(child), stop };
  } catch (error) {
    await stop();
    throw error;
  }
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
