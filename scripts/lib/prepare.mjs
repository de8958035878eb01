import { database } from '../../tools/embedded-database/install.mjs';
import { build } from './build.mjs';
import { clientPackage, clientPackages } from './client-package.mjs';
import { dependencies } from './dependencies.mjs';
import { node } from './node.mjs';
import { prepareParts } from './setup-lock.mjs';

/**
 * Prepares the checkout for a command: installs and then builds what is missing or out of date. If there is nothing to
 * do, it prints nothing.
 *
 * @param {{build: boolean, database: boolean, client?: boolean, parts?: import('./setup-lock.mjs').Part[]}} needs in
 *   addition to Node.js and the packages: the compiled service, the embedded database, the compiled client package, and
 *   `parts` that only this command needs
 */
export async function prepare({ build: needsBuild, database: needsDatabase, client, parts = [] }) {
  const packages = client ? [dependencies, clientPackages] : [dependencies];
  await prepareParts(node, ...packages, ...(needsDatabase ? [database] : []), ...parts);
  node.use();
  await prepareParts(...(needsBuild ? [build] : []), ...(client ? [clientPackage] : []));
}
