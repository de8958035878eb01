import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { SetupError } from '../../scripts/lib/steps.mjs';

/**
 * Creates the data folder if it is missing, for this user only.
 *
 * @throws {SetupError} if it cannot be created
 */
export function createFolder(path) {
  try {
    createMissing(path);
    if (!statSync(path).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
  } catch ({ code }) {
    throw new SetupError(`The folder ${path} cannot be created (${code}). Choose another one with DATA_DIR.`);
  }
}

/** One level after the other: with `recursive`, Node.js does not return for a folder below /proc. */
function createMissing(path) {
  if (existsSync(path)) return;
  createMissing(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process that starts at the same time was faster.
    if (error.code !== 'EEXIST') throw error;
  }
}
