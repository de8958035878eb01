import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE } from './paths.mjs';
import { capture } from './processes.mjs';
import { SetupError, step } from './steps.mjs';

/**
 * A tool of PyPI in a virtual environment of its own, `.cache/<name>/venv`. `bin` is the folder of its commands.
 *
 * @param {string[]} packages exact versions, because other releases find other errors
 */
export function pythonTool(name, title, packages) {
  const home = join(CACHE, name);
  const bin = join(home, 'venv', 'bin');
  // Written last.
  const stamp = join(home, 'installed.txt');
  const isReady = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === packages.join(' ');
  const install = async () => {
    rmSync(home, { recursive: true, force: true });
    mkdirSync(home, { recursive: true });
    try {
      await capture('python3', ['-m', 'venv', join(home, 'venv')]);
      const options = ['--quiet', '--disable-pip-version-check', '--only-binary', ':all:'];
      await capture(join(bin, 'python'), ['-m', 'pip', 'install', ...options, ...packages]);
    } catch (error) {
      throw new SetupError(`${error.message}\n\n${title} needs Python with venv and pip; 3.11 is new enough.`);
    }
    writeFileSync(stamp, packages.join(' '));
  };
  return { bin, isReady, prepare: () => step(`Installing ${title}`, install) };
}
