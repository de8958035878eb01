import { chmodSync, existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError } from '../../scripts/lib/steps.mjs';
import { createFolder } from './create-folder.mjs';

/** What tells that a folder is Roster's: a file of the database or of the service. */
const OURS = ['database', 'lock', 'jwt-secret'];

/**
 * Creates the data folder if it is missing, and closes it to other users of this machine.
 *
 * @returns {string} its real path
 * @throws {SetupError} if it has data of an earlier version, or holds other things and is open to other users
 */
export function openDataFolder(path, log) {
  refuseEarlierData(path);
  createFolder(path);
  const folder = realpathSync(path);
  if ((statSync(folder).mode & 0o077) === 0) return folder;
  const names = readdirSync(folder);
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

/** Nothing has been released, so data of an earlier layout is not converted. */
function refuseEarlierData(dataDir) {
  const earlier = join(dataDir, 'secantus');
  if (!existsSync(earlier)) return;
  throw new SetupError(
    `${earlier} contains data of an earlier, unreleased version, which this version cannot read. ` +
      `Move or delete ${dataDir}, or choose another folder with DATA_DIR. Nothing was changed.`,
  );
}
