import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EmbeddedDatabaseError } from './errors';

/** The checkout: three levels up, from `src/database/embedded` and from `dist/database/embedded` alike. */
const ROOT = resolve(__dirname, '../../..');

/** Where `scripts/lib/database.mjs` installs the daemon; it writes `installed.json` last, with the path inside. */
const INSTALLATION = join(ROOT, '.cache', 'secantus');

/**
 * The daemon's program file, as the bootstrap has installed it.
 *
 * The program itself rather than the wheel's `bin/secantusd-rs`: that one is a Python script, which breaks when the
 * checkout is moved and would not be found by its own name in the list of processes.
 *
 * @returns an absolute path
 * @throws EmbeddedDatabaseError when it has not been installed
 */
export function embeddedBinary(): string {
  const binary = installedBinary();
  if (binary !== undefined && existsSync(binary)) return binary;
  throw new EmbeddedDatabaseError(
    'The embedded database is not installed. `npm start` and `npm test` install it; ' +
      'or set MONGODB_URI to a MongoDB replica set of your own.',
  );
}

function installedBinary(): string | undefined {
  try {
    const stamp = JSON.parse(readFileSync(join(INSTALLATION, 'installed.json'), 'utf8')) as { binary: string };
    return resolve(INSTALLATION, stamp.binary);
  } catch {
    return undefined;
  }
}
