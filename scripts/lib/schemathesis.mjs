import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE } from './paths.mjs';
import { capture } from './processes.mjs';
import { alone } from './setup-lock.mjs';
import { SetupError, step } from './steps.mjs';

/** An exact version, because other releases have other checks and find other errors. */
const VERSION = '4.32.5';
const HOME = join(CACHE, 'schemathesis');
const BIN = join(HOME, 'venv', process.platform === 'win32' ? 'Scripts' : 'bin');
/** Written last. */
const STAMP = join(HOME, 'installed.txt');

/**
 * Installs schemathesis, in its own virtual environment.
 *
 * @returns {Promise<string>} its command
 * @throws {SetupError} if there is no Python 3.10 or newer with venv and pip, or PyPI cannot be reached
 */
export async function schemathesis() {
  if (!isInstalled()) await alone(() => step(`Installing schemathesis ${VERSION}`, install));
  return join(BIN, 'schemathesis');
}

function isInstalled() {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === VERSION;
}

async function install() {
  if (isInstalled()) return;
  rmSync(HOME, { recursive: true, force: true });
  mkdirSync(HOME, { recursive: true });
  try {
    await capture('python3', ['-m', 'venv', join(HOME, 'venv')]);
    const options = ['--quiet', '--disable-pip-version-check', '--only-binary', ':all:'];
    await capture(join(BIN, 'python'), ['-m', 'pip', 'install', ...options, `schemathesis==${VERSION}`]);
  } catch (error) {
    throw new SetupError(`${error.message}\n\nThe fuzz check needs Python 3.10 or newer with venv and pip.`);
  }
  writeFileSync(STAMP, VERSION);
}
