import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Program } from './program.mjs';
import { EmbeddedDatabase } from '../../tools/embedded-database/database.mjs';
import { ROOT, SERVICE } from '../../scripts/lib/paths.mjs';
import { handleSignals, say, SetupError } from '../../scripts/lib/steps.mjs';

export const ADMIN = { username: 'admin', email: 'admin@roster.example', password: 'the password of the Admin' };
const SETTINGS = {
  NODE_ENV: 'development',
  PORT: '0',
  HOST: '127.0.0.1',
  ADMIN_PASSWORD: ADMIN.password,
  LOG_LEVEL: 'error',
};

/**
 * Starts the built service on a free loopback port and an empty database of its own. What it logs is shown at its end.
 * A signal to this process stops both.
 *
 * @param {Record<string, string>} [settings]
 * @param {string} [script] for bash, in the checkout, in place of the command that starts it
 * @throws {SetupError} if it does not start
 */
export async function startOwnService(settings = {}, script = undefined) {
  const dataDir = mkdtempSync(join(tmpdir(), 'roster-own-'));
  let database;
  let program;
  const stop = async () => {
    await program?.stop();
    if (program?.errors) say(program.errors);
    await database?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  handleSignals(() => void stop().then(() => process.exit(1)));
  try {
    database = await EmbeddedDatabase.start({ dataDir, log: say });
    const env = { ...SETTINGS, ...settings, DATA_DIR: dataDir, MONGODB_URI: database.uri };
    program = script ? new Program(['-ec', script], env, ROOT, 'bash') : new Program([SERVICE], env, dataDir);
    // In production it logs this as JSON.
    const [, address = ''] = await program.wrote(/(?:ready at |"address":")(http[^\s"]+)/);
    return { address, program, stop };
  } catch (error) {
    await stop();
    throw program ? new SetupError('The service did not start.') : error;
  }
}
