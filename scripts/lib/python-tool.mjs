import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE } from './paths.mjs';
import { capture } from './processes.mjs';
import { alone } from './setup-lock.mjs';
import { SetupError, step } from './steps.mjs';

/**
 * Installs a program of PyPI, in a virtual environment of its own.
 *
 * @param {string} name
 * @param {string} version an exact one, so all runs are alike
 * @param {string} python the oldest Python that it supports
 * @returns {Promise<string>} its command
 * @throws {SetupError} if there is no such Python with venv and pip, or PyPI cannot be reached
 */
export async function pythonTool(name, version, python) {
  const home = join(CACHE, name);
  const bin = join(home, 'venv', process.platform === 'win32' ? 'Scripts' : 'bin');
  const stamp = join(home, 'installed.txt'); // written last
  const isInstalled = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === version;
  const install = async () => {
    if (isInstalled()) return;
    rmSync(home, { recursive: true, force: true });
    mkdirSync(home, { recursive: true });
    try {
      await capture('python3', ['-m', 'venv', join(home, 'venv')]);
      const options = ['--quiet', '--disable-pip-version-check', '--only-binary', ':all:'];
      await capture(join(bin, 'python'), ['-m', 'pip', 'install', ...options, `${name}==${version}`]);
    } catch (error) {
      throw new SetupError(`${error.message}\n\n${name} needs Python ${python} or newer with venv and pip.`);
    }
    writeFileSync(stamp, version);
  };
  if (!isInstalled()) await alone(() => step(`Installing ${name} ${version}`, install));
  return join(bin, name);
}
