import { constants } from 'node:os';
import { join } from 'node:path';
import { EmbeddedDatabase } from '../../tools/embedded-database/database.mjs';
import { withDatabase } from './database';
import { makeRunFolder, removeOldRunFolders, removeRunFolder } from './run-folder';

/**
 * Before all tests: a folder for the run (`testFolder`, run-folder.ts) and an embedded database for each worker, or the
 * server of `MONGODB_URI`, which test files find by `databaseUri` (database.ts). Workers share none, because a service that
 * starts on one ends the open transactions of all others.
 */
export default async function globalSetup({ maxWorkers }: { maxWorkers: number }): Promise<void> {
  // `--watch` runs the tests several times in one process.
  if (process.env.TEST_RUN_DIR !== undefined) return;
  removeOldRunFolders();
  const folder = makeRunFolder();
  process.env.TEST_RUN_DIR = folder;
  endWithJest(folder);
  const { MONGODB_URI } = process.env;
  const folders = Array.from({ length: maxWorkers }, (_, index) => join(folder, `database-${index + 1}`));
  const uris = MONGODB_URI ? [MONGODB_URI] : await Promise.all(folders.map(startDatabase));
  process.env.TEST_MONGODB_URIS = uris.map((uri) => withDatabase(uri, '')).join(' ');
}

async function startDatabase(dataDir: string): Promise<string> {
  const options = { dataDir, log: () => undefined, syncOnCommit: false, auth: false };
  return (await EmbeddedDatabase.start(options)).uri;
}

/** Ends what this and the tests have left running. Not by a tear-down, which Ctrl-C skips. */
function endWithJest(folder: string): void {
  process.once('exit', () => removeRunFolder(folder));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
  }
}
