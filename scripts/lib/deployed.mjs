import { existsSync } from 'node:fs';
import { node } from './node.mjs';
import { SetupError } from './steps.mjs';

/**
 * In production nothing is downloaded or built at the start. This only checks what was deployed.
 *
 * @param {string} program the built file
 * @returns {string} the path of the Node.js to use
 * @throws {SetupError} if Node.js is too old or the file is missing
 */
export function deployed(program) {
  if (node.isMissing())
    throw new SetupError(`Node.js ${process.versions.node} is too old; see "engines" in package.json.`);
  if (!existsSync(program)) throw new SetupError('It is not built. Run `npm ci` and `npm run build` first.');
  return node.use();
}
