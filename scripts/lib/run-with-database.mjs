import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import * as util from 'node:util';
import { DataDirInUse, EmbeddedDatabase } from '../../tools/embedded-database/database.mjs';
import { node } from './node.mjs';
import { ROOT, SERVICE_ENV } from './paths.mjs';
import { prepare } from './prepare.mjs';
import { run } from './processes.mjs';
import { say, SetupError } from './steps.mjs';

const isProduction = () => setting('NODE_ENV') === 'production';
/** Without an address in production, the service says what is missing. */
const hasDatabase = () => isProduction() || Boolean(setting('MONGODB_URI'));

/** Prepares what a built program needs. In production nothing is installed: this only checks what was deployed. */
export async function prepareProgram(program) {
  if (!isProduction()) return prepare({ build: true, database: !hasDatabase() });
  if (!node.isReady())
    throw new SetupError(`Node.js ${process.versions.node} is too old; see "engines" in package.json.`);
  if (!existsSync(program)) throw new SetupError('It is not built. Run `npm ci` and `npm run build` first.');
  node.use();
}

/** Runs the service until it ends, on the database of `MONGODB_URI` or an embedded one. @returns its exit code */
export async function runService(args) {
  if (hasDatabase()) return run('node', args, { env: SERVICE_ENV });
  let service;
  let lost = false;
  const onLost = (reason) => {
    say(`${reason}\nStopping the service.`);
    lost = true;
    service?.kill('SIGTERM');
  };
  const code = await withDatabase(onLost, async (database) => {
    say(`· The data is in ${dataDir()}`);
    const onStart = (child) => {
      service = child;
      database.serves(child.pid);
    };
    return run('node', args, { env: { ...SERVICE_ENV, MONGODB_URI: database.uri }, onStart });
  });
  if (lost) return 1;
  const shown = relative(ROOT, dataDir());
  if (code === 0) say(`Stopped. Your data stays in ${shown.startsWith('..') ? dataDir() : shown}.`);
  return code;
}

/** Runs a command on the database, also on the embedded one of a running service. @returns its exit code */
export async function runOnDatabase(args) {
  if (hasDatabase()) return run('node', args, { env: SERVICE_ENV });
  const runOn = (uri) => run('node', args, { env: { MONGODB_URI: uri } });
  try {
    return await withDatabase(say, ({ uri }) => runOn(uri));
  } catch (error) {
    if (error instanceof DataDirInUse && error.serviceUri) return runOn(error.serviceUri);
    throw error;
  }
}

async function withDatabase(onLost, work) {
  const database = await EmbeddedDatabase.start({ dataDir: dataDir(), log: (line) => say(`· ${line}`), onLost });
  try {
    return await work(database);
  } finally {
    await database.stop();
  }
}

function dataDir() {
  return resolve(ROOT, setting('DATA_DIR') ?? '.data');
}

/**
 * Reads a variable from the environment or the file `.env` as the service does (load-settings.ts). The file's are not
 * added to `process.env`: every program started from here would inherit its secrets.
 */
function setting(name) {
  const fallback = process.env.NODE_ENV === 'test' ? undefined : fileVariables()[name];
  return (process.env[name] ?? fallback) || undefined;
}

/** The service reports errors in the file. Node.js before 20.12 cannot parse it, so the file is ignored there. */
function fileVariables() {
  try {
    return util.parseEnv(readFileSync(join(ROOT, '.env'), 'utf8'));
  } catch {
    return {};
  }
}
