import { lstatSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { npm } from './node.mjs';
import { ROOT } from './paths.mjs';
import { alone } from './setup-lock.mjs';
import { SetupError, step } from './steps.mjs';

/** The packages of the `package-lock.json` of a folder, in its `node_modules`. */
export function packagesOf(folder) {
  const lockFile = join(folder, 'package-lock.json');
  const modules = join(folder, 'node_modules');
  return {
    /**
     * npm writes `node_modules/.package-lock.json` at the end of an install, and `npm ci` removes it first, so it marks
     * a complete install. This compares versions and not times, which a fresh clone or `npm install` changes.
     */
    isMissing() {
      const wanted = entriesOf(lockFile);
      const present = entriesOf(join(modules, '.package-lock.json'));
      if (present === undefined) return true;
      return Object.entries(wanted).some(([path, entry]) => path !== '' && !isPresent(present[path], entry));
    },

    /** @throws {SetupError} if `node_modules` is a link: `npm ci` would empty the folder of another checkout */
    install() {
      const name = relative(ROOT, lockFile);
      if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink())
        throw new SetupError(`node_modules is a link and differs from ${name}. Remove the link or update its folder.`);
      const install = (...options) =>
        npm(['ci', '--no-audit', '--no-fund', '--include=dev', ...options], { cwd: folder });
      // Asking for the versions of each package takes a third of the time. Those that npm has cached may be too old.
      return step(`Installing the packages of ${name}`, () => install('--prefer-offline').catch(() => install()));
    },
  };
}

export const dependencies = packagesOf(ROOT);

/** Installs the packages of a folder that only some commands use. */
export async function installMissing(folder) {
  const packages = packagesOf(folder);
  if (packages.isMissing()) await alone(() => packages.install());
}

/** Optional packages for other systems are not installed. */
function isPresent(present, wanted) {
  return present === undefined ? Boolean(wanted.optional) : present.version === wanted.version;
}

function entriesOf(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}
