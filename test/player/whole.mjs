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
 * Plays one part against the built service, in a data directory of its own: `--part main` is the main play, a restart
 * and the recall; `--part open` and `--part limits` are the plays that need other settings.
 */

const MAIN = join(import.meta.dirname, '../../dist/main.js');
const RUN = join(import.meta.dirname, 'run.mjs');
const CORS = 'https://app.example';
const ADMIN = { ADMIN_USERNAME: 'admin', ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'Player admin 9 word' };
const LOGIN = ['--admin', ADMIN.ADMIN_USERNAME, '--password', ADMIN.ADMIN_PASSWORD];
const UNLIMITED = {
  RATE_LIMIT_PER_MINUTE: '0',
  LOGIN_RATE_LIMIT_PER_MINUTE: '0',
  REGISTRATIONS_PER_HOUR: '0',
  ORGANIZATIONS_PER_USER: '0',
};

/** Each part starts the service once or more: with these settings, for a run with these arguments. */
const PARTS = {
  main: (memory) => {
    const settings = { ...UNLIMITED, CORS_ORIGINS: CORS };
    return [
      [settings, '--cors-origin', CORS, '--remember', memory],
      [settings, '--recall', memory],
    ];
  },
  open: () => [[{ ...UNLIMITED, REGISTRATION: 'open', ORGANIZATION_CREATION: 'admin' }, '--play', 'open']],
  limits: () => {
    const limits = { RATE_LIMIT_PER_MINUTE: '200', LOGIN_RATE_LIMIT_PER_MINUTE: '3' };
    const quotas = { REGISTRATION: 'open', REGISTRATIONS_PER_HOUR: '2', ORGANIZATIONS_PER_USER: '3' };
    const options = ['--rate-limit', '200', '--login-limit', '3', '--registration-limit', '2'];
    return [[{ ...limits, ...quotas }, '--play', 'limits', ...options, '--organization-limit', '3']];
  },
};

/** Starts the database and the service, plays, and stops both. Returns whether all went well. */
async function playStarted(dataDir, settings, args) {
  // Both are stopped in order, so nothing is lost without a sync on every commit.
  const database = await EmbeddedDatabase.start({ dataDir, log: console.log, syncOnCommit: false });
  try {
    const env = { ...ADMIN, NODE_ENV: 'development', MONGODB_URI: database.uri, DATA_DIR: dataDir, LOG_LEVEL: 'warn' };
    const service = await startService(MAIN, { ...env, ...settings });
    try {
      const child = spawn(process.execPath, [RUN, '--base', service.base, ...LOGIN, ...args], { stdio: 'inherit' });
      const [code] = await once(child, 'exit');
      return code === 0;
    } finally {
      await service.stop();
    }
  } finally {
    await database.stop();
  }
}

async function main() {
  const { part } = parseArgs({ options: { part: { type: 'string', default: 'main' } } }).values;
  if (!PARTS[part]) throw new Error('--part is main, open or limits');
  if (!existsSync(MAIN)) throw new Error('dist/main.js is missing: run `npm run build` first');
  const home = await mkdtemp(join(tmpdir(), 'roster-player-'));
  try {
    const results = [];
    for (const [settings, ...args] of PARTS[part](join(home, 'memory.json')))
      results.push(await playStarted(join(home, 'data'), settings, args));
    return results.every(Boolean);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

process.exitCode = (await main()) ? 0 : 1;
