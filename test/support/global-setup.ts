import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type EmbeddedDatabase,
  endLeftBehind,
  startEmbeddedDatabase,
} from '../../src/database/embedded/embedded-database';
import { DataDirInUse } from '../../src/database/embedded/errors';
import { withDatabase } from './database';

const PREFIX = 'roster-test-';

/** What the tear-down needs to know; both run in jest's first process. */
export const running: { database?: EmbeddedDatabase; dataDir?: string } = {};

/**
 * Before all tests: one embedded database for the whole run, in a folder of its own, or the server of `MONGODB_URI`.
 * Test files find it by `databaseUri` (database.ts).
 */
export default async function globalSetup(): Promise<void> {
  process.env.TEST_MONGODB_URI = withDatabase(process.env.MONGODB_URI || (await startForTests()), '');
}

async function startForTests(): Promise<string> {
  await clearLeftovers();
  const dataDir = mkdtempSync(join(tmpdir(), PREFIX));
  running.dataDir = dataDir;
  endWithJest(dataDir);
  running.database = await startEmbeddedDatabase({ dataDir, log: () => undefined, syncOnCommit: false });
  return running.database.uri;
}

/** Ctrl-C skips jest's tear-down. Leaving by `exit` makes the embedded database end itself. */
function endWithJest(dataDir: string): void {
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
  }
}

/** A run that was killed (`kill -9`) leaves its database and its lock behind; the next run clears them away. */
async function clearLeftovers(): Promise<void> {
  const folders = readdirSync(tmpdir()).filter((name) => name.startsWith(PREFIX));
  for (const folder of folders.map((name) => join(tmpdir(), name))) {
    if (existsSync(join(folder, 'lock'))) await clear(folder);
  }
}

async function clear(dataDir: string): Promise<void> {
  try {
    await endLeftBehind(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  } catch (error) {
    if (!(error instanceof DataDirInUse)) throw error;
  }
}
