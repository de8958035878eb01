import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './node.mjs';
import { NODE_MODULES, ROOT } from './paths.mjs';
import { SetupError, step } from './steps.mjs';

/** The packages of `package-lock.json`, in `node_modules`. */
export const dependencies = {
  /**
   * npm writes `node_modules/.package-lock.json` at the end of an install, and `npm ci` removes it first, so it marks a
   * complete install. This compares versions and not times, which a fresh clone or `npm install` changes.
   */
  isMissing() {
    const wanted = packagesOf(join(ROOT, 'package-lock.json'));
    const present = packagesOf(join(NODE_MODULES, '.package-lock.json'));
    if (present === undefined) return true;
    return Object.entries(wanted).some(([path, entry]) => path !== '' && !isPresent(present[path], entry));
  },

  /** @throws {SetupError} if `node_modules` is a link: `npm ci` would empty the folder of another checkout */
  install() {
    if (lstatSync(NODE_MODULES, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new SetupError(
        'node_modules is a link and differs from package-lock.json. Remove the link or update its folder.',
      );
    const options = ['--no-audit', '--no-fund', '--include=dev'];
    return step('Installing the packages of package-lock.json', () => npm(['ci', ...options]));
  },
};

/** Optional packages for other systems are not installed. */
function isPresent(present, wanted) {
  return present === undefined ? Boolean(wanted.optional) : present.version === wanted.version;
}

function packagesOf(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}
