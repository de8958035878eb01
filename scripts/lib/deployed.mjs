import { existsSync } from 'node:fs';
import { node } from './node.mjs';
import { SetupError } from './steps.mjs';

/**
 * In production nothing is fetched or built at the start: what runs is what was deployed. This only checks.
 *
 * @param {string} program the built file that is to run
 * @returns {string} the path of the Node.js to run it with
 * @throws {SetupError} when Node.js is too old, or the file is not there
 */
export function deployed(program) {
  if (node.isMissing())
    throw new SetupError(`Node.js ${process.versions.node} is too old; see "engines" in package.json.`);
  if (!existsSync(program)) throw new SetupError('It is not built: run `npm ci` and `npm run build` before.');
  return node.use();
}
