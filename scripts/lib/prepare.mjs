import { database } from '../../tools/embedded-database/install.mjs';
import { build } from './build.mjs';
import { dependencies } from './dependencies.mjs';
import { node } from './node.mjs';
import { alone } from './setup-lock.mjs';
import { sideBySide } from './steps.mjs';

/**
 * Prepares the checkout for a command: downloads, installs and builds what is missing or out of date. The database needs
 * none of the rest, so it is installed next to it. If there is nothing to do, it prints nothing. An interrupted step is repeated by the next run.
 *
 * @param {object} needs what the command needs in addition to Node.js and the packages
 * @param {boolean} needs.build the compiled service
 * @param {boolean} needs.database the embedded database. The tests and the fuzz check need it even with `MONGODB_URI`,
 *   because they start databases of their own
 * @returns {Promise<string>} the path of the Node.js to use
 */
export async function prepare(needs) {
  if (isReady(needs)) return node.use();
  return alone(async () => {
    let command;
    const service = async () => {
      if (node.isMissing()) await node.install();
      command = node.use();
      if (dependencies.isMissing()) await dependencies.install();
      if (needs.build && build.isStale()) await build.make();
    };
    const embedded = async () => {
      if (needs.database && database.isMissing()) await database.install();
    };
    await sideBySide([service, embedded]);
    return command;
  });
}

function isReady(needs) {
  if (node.isMissing() || dependencies.isMissing()) return false;
  return !(needs.database && database.isMissing()) && !(needs.build && build.isStale());
}
