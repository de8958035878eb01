import { database } from '../../tools/embedded-database/install.mjs';
import { build } from './build.mjs';
import { dependencies } from './dependencies.mjs';
import { node } from './node.mjs';
import { alone } from './setup-lock.mjs';

/**
 * Brings the checkout to where the commands can run: fetches, installs and builds what is missing or stale, in this
 * order, and says nothing where nothing is. What was interrupted is done again at the next run.
 *
 * @param {object} needs what the command needs beside Node.js and the packages
 * @param {boolean} needs.build the compiled service
 * @param {boolean} needs.database the embedded database: what runs on `MONGODB_URI` alone does without, but not the
 *   tests and the fuzz check, which start databases of their own beside it
 * @returns {Promise<string>} the path of the Node.js to run things with
 */
export async function prepare(needs) {
  if (isReady(needs)) return node.use();
  return alone(async () => {
    if (node.isMissing()) await node.install();
    const command = node.use();
    if (dependencies.isMissing()) await dependencies.install();
    if (needs.database && database.isMissing()) await database.install();
    if (needs.build && build.isStale()) await build.make();
    return command;
  });
}

function isReady(needs) {
  if (node.isMissing() || dependencies.isMissing()) return false;
  return !(needs.database && database.isMissing()) && !(needs.build && build.isStale());
}
