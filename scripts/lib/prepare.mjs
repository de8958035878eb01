import { database } from '../../tools/embedded-database/install.mjs';
import { build } from './build.mjs';
import { clientPackage } from './client-package.mjs';
import { dependencies } from './dependencies.mjs';
import { node } from './node.mjs';
import { alone } from './setup-lock.mjs';
import { sideBySide } from './steps.mjs';

/**
 * Prepares the checkout for a command: downloads, installs and builds what is missing or out of date. What does not need
 * one another is done side by side. If there is nothing to do, it prints nothing. An interrupted step is repeated by the
 * next run.
 *
 * @param {object} needs what the command needs in addition to Node.js and the packages
 * @param {boolean} needs.build the compiled service
 * @param {boolean} needs.database the embedded database. The tests and the fuzz check need it even with `MONGODB_URI`,
 *   because they start databases of their own
 * @param {boolean} [needs.client] the compiled client package
 * @returns {Promise<string>} the path of the Node.js to use
 */
export async function prepare(needs) {
  if (isReady(needs)) return node.use();
  return alone(async () => {
    const steps = [];
    if (node.isMissing()) steps.push(() => node.install());
    if (dependencies.isMissing()) steps.push(() => dependencies.install());
    if (needs.database && database.isMissing()) steps.push(() => database.install());
    if (needs.client && clientPackage.isMissing()) steps.push(() => clientPackage.install());
    await sideBySide(steps);
    const command = node.use();
    if (needs.build && build.isStale()) await build.make();
    if (needs.client && clientPackage.isStale()) await clientPackage.make();
    return command;
  });
}

function isReady(needs) {
  if (node.isMissing() || dependencies.isMissing()) return false;
  if (needs.client && (clientPackage.isMissing() || clientPackage.isStale())) return false;
  return !(needs.database && database.isMissing()) && !(needs.build && build.isStale());
}
