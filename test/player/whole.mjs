import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EmbeddedDatabase } from '../../tools/embedded-database/database.mjs';
import { startService } from './service.mjs';

/**
 * Plays everything against the built service in a data directory of its own: the main play, a restart and the recall
 * (`--part main`), then the plays that need other settings (`--part open`, `--part limits`).
 * `--phase 1` leaves Apis and files out.
 */

const ROOT = join(import.meta.dirname, '../..');
const MAIN = join(ROOT, 'dist/main.js');
const RUN = join(import.meta.dirname, 'run.mjs');
const CORS = 'https://app.example';
const ADMIN = { ADMIN_USERNAME: 'admin', ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'Player admin 9 word' };
const OFF = {
  RATE_LIMIT_PER_MINUTE: '0',
  LOGIN_RATE_LIMIT_PER_MINUTE: '0',
  REGISTRATIONS_PER_HOUR: '0',
  ORGANIZATIONS_PER_USER: '0',
};

const PARTS = {
  main: async (started, phase, memory) => {
    const settings = { ...OFF, CORS_ORIGINS: CORS };
    const played = await started(settings, ['--cors-origin', CORS, '--remember', memory]);
    return (await started(settings, ['--recall', memory])) && played;
  },
  open: (started) => started({ ...OFF, REGISTRATION: 'open', ORGANIZATION_CREATION: 'admin' }, ['--play', 'open']),
  limits: (started) => {
    const settings = { RATE_LIMIT_PER_MINUTE: '200', LOGIN_RATE_LIMIT_PER_MINUTE: '3' };
    return started(settings, ['--play', 'limits', '--rate-limit', '200', '--login-limit', '3']);
  },
};

/** Starts the service, plays with these arguments, stops it; true when all went well. */
async function playStarted(dataDir, phase, settings, args) {
  const database = await EmbeddedDatabase.start({ dataDir, log: console.log });
  const env = { ...ADMIN, NODE_ENV: 'development', MONGODB_URI: database.uri, DATA_DIR: dataDir, LOG_LEVEL: 'warn' };
  const service = await startService([process.execPath, MAIN], { ...env, ...settings });
  try {
    const login = ['--admin', ADMIN.ADMIN_USERNAME, '--password', ADMIN.ADMIN_PASSWORD];
    const child = spawn(process.execPath, [RUN, '--base', service.base, '--phase', phase, ...login, ...args], {
      stdio: 'inherit',
    });
    const [code] = await once(child, 'exit');
    return code === 0;
  } finally {
    await service.stop();
    await database.stop();
  }
}

async function main() {
  const { values } = parseArgs({
    options: { part: { type: 'string', default: 'main' }, phase: { type: 'string', default: '2' } },
  });
  if (!PARTS[values.part]) throw new Error('--part is main, open or limits');
  if (!existsSync(MAIN)) throw new Error('dist/main.js is missing: run `npm run build` first');
  const home = await mkdtemp(join(tmpdir(), 'roster-player-'));
  try {
    const started = (settings, args) => playStarted(join(home, 'data'), values.phase, settings, args);
    return await PARTS[values.part](started, values.phase, join(home, 'memory.json'));
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

process.exitCode = (await main()) ? 0 : 1;
