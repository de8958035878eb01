import { constants } from 'node:os';
import { join } from 'node:path';
import { EmbeddedDatabase } from '../../tools/embedded-database/database.mjs';
import { withDatabase } from './database';
import { makeRunFolder, removeOldRunFolders, removeRunFolder } from './run-folder';

/**
 * Before all tests: a folder for the run (`testFolder`, run-folder.ts) and one embedded database for all of it, or the
 * server of `MONGODB_URI`, which test files find by `databaseUri` (database.ts).
 */
export default async function globalSetup(): Promise<void> {
  // `--watch` and the mutation check run the tests several times in one process.
  if (process.env.TEST_RUN_DIR !== undefined) return;
  removeOldRunFolders();
  const folder = makeRunFolder();
  process.env.TEST_RUN_DIR = folder;
  endWithJest(folder);
  process.env.TEST_MONGODB_URI = withDatabase(process.env.MONGODB_URI || (await startDatabase(folder)), '');
}

async function startDatabase(folder: string): Promise<string> {
  const options = { dataDir: join(folder, 'database'), log: () => undefined, syncOnCommit: false, auth: false };
  return (await EmbeddedDatabase.start(options)).uri;
}

/** Ends what this and the tests have left running. Not by a tear-down, which Ctrl-C skips. */
function endWithJest(folder: string): void {
  process.once('exit', () => removeRunFolder(folder));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
  }
}
