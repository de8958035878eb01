/**
 * Holds an embedded database, for tests that need a process to kill: `node embedded-database.mjs DATA_DIR`. Writes the
 * lines of its log, and its address when it is up; stops at SIGTERM.
 */
import { EmbeddedDatabase } from '../../tools/embedded-database/database.mjs';

try {
  const database = await EmbeddedDatabase.start({ dataDir: process.argv[2], log: console.log });
  process.on('SIGTERM', () => void database.stop().then(() => process.exit(0)));
  setInterval(() => undefined, 1000);
  console.log(database.uri);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
