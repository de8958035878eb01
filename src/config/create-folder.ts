import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartError } from './start-error';

/**
 * Creates the data folder if it is missing, for this user only.
 * @throws StartError when it cannot be created
 */
export function createFolder(path: string): void {
  try {
    createMissing(path);
    if (!statSync(path).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new StartError(`The folder ${path} cannot be created (${code}). Choose another one with DATA_DIR.`, {
      cause,
    });
  }
}

/** One level after the other: with `recursive`, Node.js does not return for a folder below /proc. */
function createMissing(path: string): void {
  if (existsSync(path)) return;
  createMissing(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process that starts at the same time was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
