import { lstatSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { npm } from './node.mjs';
import { ROOT } from './paths.mjs';
import { SetupError, step } from './steps.mjs';

/** npm's own wait up to a minute: a registry that cannot be reached would be reported minutes later. */
const FAST_RETRIES = ['--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=3000'];

/** The packages of the `package-lock.json` of a folder, in its `node_modules`. */
export function packagesOf(folder) {
  const lockFile = join(folder, 'package-lock.json');
  const modules = join(folder, 'node_modules');
  return {
    advice:
      'Usual causes are a package registry that cannot be reached (behind a proxy, set HTTPS_PROXY) and a full disk.',

    /**
     * npm writes `node_modules/.package-lock.json` at the end of an install, and `npm ci` removes it first, so it marks
     * a complete install. This compares versions and not times, which a fresh clone or `npm install` changes.
     */
    isReady() {
      const wanted = entriesOf(lockFile);
      const present = entriesOf(join(modules, '.package-lock.json'));
      if (present === undefined) return false;
      return Object.entries(wanted).every(([path, { version, optional }]) => {
        // Optional packages for other systems are not installed; the folder itself (``) does not count.
        return path === '' || (present[path] ? present[path].version === version : optional);
      });
    },

    /** @throws {SetupError} if `node_modules` is a link: `npm ci` would empty the folder of another checkout */
    prepare() {
      const name = relative(ROOT, lockFile);
      if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink())
        throw new SetupError(`node_modules is a link and differs from ${name}. Remove the link or update its folder.`);
      const install = (...options) =>
        npm(['ci', '--no-audit', '--no-fund', '--include=dev', ...FAST_RETRIES, ...options], { cwd: folder });
      // Faster, because npm does not ask for the versions of each package. Those that it has cached may be too old.
      return step(`Installing the packages of ${name}`, () => install('--prefer-offline').catch(() => install()));
    },
  };
}

export const dependencies = packagesOf(ROOT);

function entriesOf(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}
