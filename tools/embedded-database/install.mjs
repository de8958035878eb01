import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { CACHE } from '../../scripts/lib/paths.mjs';
import { capture } from '../../scripts/lib/processes.mjs';
import { SetupError, step } from '../../scripts/lib/steps.mjs';

/** The last release with the daemon. An exact version, because it determines the format of the data folder. */
const VERSION = '0.6.0b17';
const HOME = join(CACHE, 'secantus');
const SYSTEM = `${process.platform}-${process.arch}`;
const PACKAGES = join(HOME, 'packages');
/** Written last; contains the path of the daemon's program file. */
const STAMP = join(HOME, 'installed.json');
/** The first that works is used; the package is published for Python 3.10 to 3.13. */
const PYTHONS = ['python3', 'python3.13', 'python3.12', 'python3.11', 'python3.10', 'python'];
const PROBE = 'import sys; sys.exit(not (3, 10) <= sys.version_info[:2] <= (3, 13))';
const PROBE_LIMIT_MS = 10_000;

/** The embedded database's program: SecantusDB's daemon. */
export const database = {
  isReady: () => binary() !== undefined,

  prepare: () => step(`Installing the embedded database (SecantusDB ${VERSION})`, install),
};

/**
 * The daemon itself, not the wheel's `bin/secantusd-rs`: that is a Python script, which breaks when the checkout is
 * moved and cannot be recognized in the list of processes.
 *
 * @returns {string} an absolute path
 * @throws {SetupError} if it is not installed
 */
export function installedBinary() {
  const path = binary();
  if (path === undefined) throw new SetupError('The embedded database is not installed. `npm start` installs it.');
  return path;
}

function binary() {
  try {
    const stamp = JSON.parse(readFileSync(STAMP, 'utf8'));
    const path = join(HOME, stamp.binary);
    return stamp.version === VERSION && stamp.system === SYSTEM && existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

async function install() {
  const python = await findPython();
  rmSync(HOME, { recursive: true, force: true });
  mkdirSync(HOME, { recursive: true });
  await fetchPackage(python);
  const daemon = findDaemon();
  if (daemon === undefined) throw new SetupError(withAdvice('The package contains no secantusd-rs.'));
  await capture(daemon, ['--version']).catch((error) => {
    throw new SetupError(withAdvice(`The embedded database does not run on this system.\n${error.message}`));
  });
  writeFileSync(STAMP, JSON.stringify({ version: VERSION, system: SYSTEM, binary: relative(HOME, daemon) }));
}

/** Returns a command that works: version managers put commands on the PATH that only print an error. */
async function findPython() {
  for (const python of PYTHONS) if (await works(python, PROBE)) return python;
  throw new SetupError(withAdvice('The embedded database needs Python 3.10 to 3.13, but none was found on the PATH.'));
}

function works(python, code) {
  return capture(python, ['-c', code], { timeoutMs: PROBE_LIMIT_MS }).then(
    () => true,
    () => false,
  );
}

/** Installs into a plain folder, or into a virtual environment, which takes longer, if Python has no pip. */
async function fetchPackage(python) {
  const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', '--no-deps', `SecantusDB==${VERSION}`];
  // Pip cannot combine a folder with the option `user`, which some machines set.
  const env = { PIP_USER: '0' };
  try {
    if (await works(python, 'import pip')) return void (await capture(python, [...pip, '--target', PACKAGES], { env }));
    const venv = join(HOME, 'venv');
    await capture(python, ['-m', 'venv', venv]);
    await capture(join(venv, 'bin', 'python'), pip, { env });
  } catch (error) {
    throw new SetupError(withAdvice(error.message));
  }
}

function findDaemon() {
  return readdirSync(HOME, { recursive: true })
    .map((path) => join(HOME, path))
    .find((path) => path.endsWith(join('secantusdb.scripts', 'secantusd-rs')));
}

function withAdvice(problem) {
  return `${problem}

The embedded database could not be installed. Do one of these:
  - Install Python 3.10 to 3.13 with pip and venv (Debian, Ubuntu: apt-get install python3 python3-venv) and try again.
  - Use your own MongoDB replica set instead:
      MONGODB_URI='mongodb://127.0.0.1:27017/roster?replicaSet=rs0' npm start`;
}
