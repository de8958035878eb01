import { constants } from 'node:os';
import { join } from 'node:path';
import { EmbeddedDatabase } from '../../tools/embedded-database/database.mjs';
import { withDatabase } from './database';
import { makeRunFolder, removeOldRunFolders, removeRunFolder } from './run-folder';

/** State for the tear-down; both run in jest's first process. */
export const running: { database?: EmbeddedDatabase; folder?: string } = {};

/**
 * Before all tests: a folder for the run (`testFolder`, run-folder.ts) and one embedded database for all of it, or the
 * server of `MONGODB_URI`, which test files find by `databaseUri` (database.ts).
 */
export default async function globalSetup(): Promise<void> {
  removeOldRunFolders();
  const folder = makeRunFolder();
  running.folder = folder;
  process.env.TEST_RUN_DIR = folder;
  endWithJest(folder);
  process.env.TEST_MONGODB_URI = withDatabase(process.env.MONGODB_URI || (await startDatabase(folder)), '');
}

async function startDatabase(folder: string): Promise<string> {
  const options = { dataDir: join(folder, 'database'), log: () => undefined, syncOnCommit: false, auth: false };
  running.database = await EmbeddedDatabase.start(options);
  return running.database.uri;
}

/** Ctrl-C skips jest's tear-down, but leaving by `exit` does not skip this. */
function endWithJest(folder: string): void {
  process.once('exit', () => removeRunFolder(folder));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
  }
}
