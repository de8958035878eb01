import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { capture } from './processes.mjs';
import { step } from './steps.mjs';

/**
 * Debian packages, which are installed if they are missing and this process may do that.
 *
 * @param {Record<string, string>} programs a program, or the path of a file, for each package
 */
export function debianPackages(programs) {
  process.env.PATH += ':/usr/sbin';
  const folders = process.env.PATH.split(':');
  const has = (program) =>
    isAbsolute(program) ? existsSync(program) : folders.some((path) => existsSync(join(path, program)));
  const missing = Object.keys(programs).filter((name) => !has(programs[name]));
  const install = async () => {
    await capture('apt-get', ['update']);
    await capture('apt-get', ['install', '--yes', '--no-install-recommends', ...missing]);
  };
  const names = missing.join(', ');
  return {
    advice: `Install these yourself: ${names}.`,
    isReady: () => missing.length === 0,
    prepare: () => step(`Installing ${names}`, install),
  };
}
