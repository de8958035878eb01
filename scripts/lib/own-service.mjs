import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Program } from '../../test/support/program.mjs';
import { EmbeddedDatabase } from '../../tools/embedded-database/database.mjs';
import { DIST } from './paths.mjs';
import { say, SetupError } from './steps.mjs';

export const ADMIN = { username: 'admin', email: 'admin@roster.example', password: 'the password of the Admin' };
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
 * Starts the built service on a free loopback port and an empty database of its own. What it logs is shown at its end.
 *
 * @throws {SetupError} if it does not start
 */
export async function startOwnService(settings = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'roster-own-'));
  const database = await EmbeddedDatabase.start({ dataDir, log: say });
  const env = { ...SETTINGS, ...settings, DATA_DIR: dataDir, MONGODB_URI: database.uri };
  const service = new Program([join(DIST, 'main.js')], env, dataDir, 'node');
  const kill = () => void service.kill();
  process.once('exit', kill);
  const stop = async () => {
    await service.stop();
    if (service.errors) say(service.errors);
    process.off('exit', kill);
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const [, address = ''] = await service.wrote(/ready at (http:\S+)/);
    return { address, stop };
  } catch {
    await stop();
    throw new SetupError('The service did not start.');
  }
}
