import { database } from '../../tools/embedded-database/install.mjs';
import { build } from './build.mjs';
import { clientPackage, clientPackages } from './client-package.mjs';
import { dependencies } from './dependencies.mjs';
import { node } from './node.mjs';
import { alone } from './setup-lock.mjs';
import { SetupError } from './steps.mjs';

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
 * Prepares what is not ready, side by side. If one part fails, it says why at once; `runMain` then ends the others.
 *
 * @param {Part[]} parts
 */
async function prepareParts(...parts) {
  const missing = () => parts.filter((part) => !part.isReady());
  if (missing().length === 0) return;
  await alone(async () => {
    await Promise.all(missing().map(async (part) => part.prepare())).catch((error) => {
      throw new SetupError(`${error.message}\n\n${causeOf(error.message)}`);
    });
  });
}

const FULL_DISK = 'The disk is full: make room, and run this again.';
const NO_NETWORK =
  'The package registry cannot be reached. Behind a proxy, set HTTPS_PROXY to its address; if it is set, check that the proxy runs.';

/** The usual cause of what a tool wrote, and what to do about it. @param {string} text */
export function causeOf(text) {
  if (/ENOSPC|EDQUOT|No space left|quota exceeded/i.test(text)) return FULL_DISK;
  if (/ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH|proxy|network|CERT|Max retries|resolve host/i.test(text))
    return NO_NETWORK;
  return 'Usual causes are a package registry that cannot be reached (behind a proxy, set HTTPS_PROXY) and a full disk.';
}
