import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE } from '../../scripts/lib/paths.mjs';
import { capture } from '../../scripts/lib/processes.mjs';
import { SetupError, step } from '../../scripts/lib/steps.mjs';

/** The last release with the daemon. An exact version, because it determines the format of the data folder. */
const VERSION = '0.6.0b17';
const FOLDER = join(CACHE, 'secantus');
/** Gets this name last, so it is complete. */
const PACKAGES = join(FOLDER, `${VERSION}-${process.platform}-${process.arch}`);
/** Not the package's `bin/secantusd-rs`, a Python script, which breaks when the checkout is moved. */
const DAEMON = join('secantusdb.scripts', 'secantusd-rs');
/** The first that works is used; the package is published for Python 3.10 to 3.13. */
const PYTHONS = ['python3', 'python3.13', 'python3.12', 'python3.11', 'python3.10', 'python'];
const PROBE = 'import sys; sys.exit(not (3, 10) <= sys.version_info[:2] <= (3, 13))';
const ADVICE = `The embedded database could not be installed. Do one of these:
  - Install Python 3.10 to 3.13 with pip and venv (Debian, Ubuntu: apt-get install python3 python3-venv) and try again.
  - Use your own MongoDB replica set instead:
      MONGODB_URI='mongodb://127.0.0.1:27017/roster?replicaSet=rs0' npm start`;

/** The embedded database's program: SecantusDB's daemon. */
export const database = {
  advice: ADVICE,
  isReady: () => existsSync(join(PACKAGES, DAEMON)),

  prepare: () => step(`Installing the embedded database (SecantusDB ${VERSION})`, install),
};

export function installedBinary() {
  if (!database.isReady()) throw new SetupError('The embedded database is not installed. `npm start` installs it.');
  return join(PACKAGES, DAEMON);
}

async function install() {
  const python = await findPython();
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const [draft, venv] = [join(FOLDER, 'draft'), join(FOLDER, 'venv')];
  await fetchPackages(python, draft, venv);
  await capture(join(draft, DAEMON), ['--version']);
  renameSync(draft, PACKAGES);
  rmSync(venv, { recursive: true, force: true });
}

/** Returns a command that works: version managers put commands on the PATH that only print an error. */
async function findPython() {
  for (const python of PYTHONS) if (await works(python, PROBE)) return python;
  throw new SetupError('The embedded database needs Python 3.10 to 3.13, but none was found on the PATH.');
}

function works(python, code) {
  return capture(python, ['-c', code]).then(
    () => true,
    () => false,
  );
}

/** Installs the package into a plain folder, with the pip of a virtual environment if Python has none. */
async function fetchPackages(python, folder, venv) {
  const hasPip = await works(python, 'import pip');
  if (!hasPip) await capture(python, ['-m', 'venv', venv]);
  const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', '--no-deps', '--target', folder];
  // Pip cannot combine a folder with the option `user`, which some machines set.
  const env = { PIP_USER: '0' };
  await capture(hasPip ? python : join(venv, 'bin', 'python'), [...pip, `SecantusDB==${VERSION}`], { env });
}
