import { database } from '../../tools/embedded-database/install.mjs';
import { build } from './build.mjs';
import { clientPackage, clientPackages } from './client-package.mjs';
import { dependencies } from './dependencies.mjs';
import { node } from './node.mjs';
import { alone } from './setup-lock.mjs';
import { SetupError } from './steps.mjs';

const CAUSES =
  'Usual causes are a package registry that cannot be reached (behind a proxy, set HTTPS_PROXY) and a full disk.';

/** @typedef {{isReady: () => boolean, prepare: () => Promise<unknown>}} Part of a checkout */

/**
 * Prepares the checkout for a command: installs and then builds what is missing or out of date. If there is nothing to
 * do, it prints nothing.
 *
 * @param {{build: boolean, database: boolean, client?: boolean, parts?: Part[]}} needs in
 *   addition to Node.js and the packages: the compiled service, the embedded database, the compiled client package, and
 *   `parts` that only this command needs
 */
export async function prepare({ build: needsBuild, database: needsDatabase, client, parts = [] }) {
  const packages = client ? [dependencies, clientPackages] : [dependencies];
  await prepareParts(node, ...packages, ...(needsDatabase ? [database] : []), ...parts);
  node.use();
  await prepareParts(...(needsBuild ? [build] : []), ...(client ? [clientPackage] : []));
}

/**
 * Prepares what is not ready, side by side. If one part fails, it says why immediately; `runMain` then ends the others.
 *
 * @param {Part[]} parts
 */
async function prepareParts(...parts) {
  const missing = () => parts.filter((part) => !part.isReady());
  if (missing().length === 0) return;
  await alone(async () => {
    await Promise.all(missing().map(async (part) => part.prepare())).catch((error) => {
      throw new SetupError(`${error.message}\n\n${CAUSES}`);
    });
  });
}
