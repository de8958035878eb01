import { chmodSync, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { SetupError } from '../../scripts/lib/steps.mjs';

/** What tells that a folder is Roster's: a file of the database or of the service. */
const OURS = ['database', 'lock', 'jwt-secret'];

/** Creates the data folder if it is missing, and closes it to other users of this machine. @returns its real path */
export function openDataFolder(path, log) {
  let names;
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    names = readdirSync(path);
  } catch ({ code }) {
    throw new SetupError(`The folder ${path} cannot be created (${code}). Choose another one with DATA_DIR.`);
  }
  const folder = realpathSync(path);
  if ((statSync(folder).mode & 0o077) === 0) return folder;
  if (names.length > 0 && !OURS.some((name) => names.includes(name))) {
    throw new SetupError(
      `Other users of this machine can open ${folder}, and it holds other things than Roster's data. ` +
        'Choose another folder with DATA_DIR, or close this one with chmod 700.',
    );
  }
  chmodSync(folder, 0o700);
  log(`Other users of this machine could open ${folder}; now only you can.`);
  return folder;
}
