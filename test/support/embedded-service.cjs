/**
 * A service reduced to its embedded database, for tests that need a process to kill: `node embedded-service.cjs DATA_DIR`.
 * Writes a line of JSON when it is up; stops at SIGTERM. Compiled on the way, since `dist` may be missing or stale.
 */
const { transformFileSync } = require('@swc/core');

require.extensions['.ts'] = (module, file) => module._compile(transformFileSync(file).code, file);

const { startEmbeddedDatabase } = require('../../src/database/embedded/embedded-database');

async function main() {
  const log = [];
  const database = await startEmbeddedDatabase({
    dataDir: process.argv[2],
    log: (line) => log.push(line),
    onLost: (reason) => {
      console.error(`lost: ${reason}`);
      process.exit(3);
    },
  });
  process.on('SIGTERM', () => void database.stop().then(() => process.exit(0)));
  setInterval(() => undefined, 1000);
  console.log(JSON.stringify({ uri: database.uri, daemonPid: database.pid, log }));
}

main().catch((error) => {
  console.error(`${error.name}: ${error.message}`);
  process.exitCode = 1;
});
