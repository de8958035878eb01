import { database } from '../../tools/embedded-database/install.mjs';
import { build } from './build.mjs';
import { clientPackage } from './client-package.mjs';
import { dependencies } from './dependencies.mjs';
import { node } from './node.mjs';
import { alone } from './setup-lock.mjs';

/**
 * Prepares the checkout for a command: downloads, installs and builds what is missing or out of date. What does not need
 * one another is installed side by side; if one fails, the others finish first. If there is nothing to do, it prints
 * nothing. An interrupted step is repeated by the next run.
 *
 * @param {object} needs what the command needs in addition to Node.js and the packages
 * @param {boolean} needs.build the compiled service
 * @param {boolean} needs.database the embedded database. The tests and the fuzz check need it even with `MONGODB_URI`,
 *   because they start databases of their own
 * @param {boolean} [needs.client] the compiled client package
 */
export async function prepare(needs) {
  const client = needs.client ? [clientPackage] : [];
  const installed = [node, dependencies, ...(needs.database ? [database] : []), ...client];
  const missing = () => installed.filter((one) => one.isMissing());
  const stale = () => [...(needs.build ? [build] : []), ...client].filter((one) => one.isStale());
  if (missing().length === 0 && stale().length === 0) return node.use();
  await alone(async () => {
    const results = await Promise.allSettled(missing().map(async (one) => one.install()));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    node.use();
    for (const one of stale()) await one.make();
  });
}
