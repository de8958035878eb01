import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { stampedPart } from './fingerprint.mjs';
import { CACHE } from './paths.mjs';
import { capture } from './processes.mjs';

/**
 * A tool of PyPI in a virtual environment of its own, `.cache/<name>/venv`. `bin` is the folder of its commands.
 *
 * @param {string[]} packages exact versions, because other releases find other errors
 */
export function pythonTool(name, title, packages) {
  const home = join(CACHE, name);
  const bin = join(home, 'venv', 'bin');
  const install = async () => {
    rmSync(home, { recursive: true, force: true });
    await capture('python3', ['-m', 'venv', join(home, 'venv')]);
    const options = ['--quiet', '--disable-pip-version-check', '--only-binary', ':all:'];
    await capture(join(bin, 'python'), ['-m', 'pip', 'install', ...options, ...packages]);
  };
  return {
    bin,
    advice: `${title} needs Python with venv and pip; 3.11 is new enough.`,
    ...stampedPart(`Installing ${title}`, join(home, 'installed.txt'), packages.join(' '), install),
  };
}
