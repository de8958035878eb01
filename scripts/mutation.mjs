/** `npm run test:mutation [-- scope …] [--force]`: the mutation check, scope by scope. See docs/testing.md. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedDatabase } from '../tools/embedded-database/database.mjs';
import { scopeNames, scopeOf } from './lib/mutation-scopes.mjs';
import { prepare } from './lib/prepare.mjs';
import { run } from './lib/processes.mjs';
import { runMain, say } from './lib/steps.mjs';

runMain(async () => {
  const wanted = process.argv.slice(2).filter((arg) => !arg.startsWith('-'));
  const options = process.argv.slice(2).filter((arg) => arg.startsWith('-'));
  const scopes = (wanted.length > 0 ? wanted : scopeNames).map(scopeOf);
  await prepare({ build: true, database: !process.env.MONGODB_URI });
  return withDatabase(() => check(scopes, options));
});

/** @returns {Promise<number>} 1 when a scope is below the threshold of stryker.config.mjs, 128 + n after signal n */
async function check(scopes, options) {
  const failed = [];
  for (const scope of scopes) {
    say(`· Mutation check: ${scope.name}, ${scope.tests.length} test files …`);
    process.env.MUTATION_SCOPE = scope.name;
    process.env.MUTATION_TESTS = scope.tests.join(',');
    const code = await run('stryker', ['run', ...options]);
    if (code > 128) return code; // stopped by a signal
    if (code !== 0) failed.push(scope.name);
  }
  say(failed.length === 0 ? '✔ Mutation check' : `✖ Mutation check: ${failed.join(', ')}`);
  return failed.length === 0 ? 0 : 1;
}

/** One database for all runs: Stryker restarts its processes, and jest would start a database in each of them. */
async function withDatabase(work) {
  if (process.env.MONGODB_URI) return work();
  const dataDir = mkdtempSync(join(tmpdir(), 'roster-mutation-'));
  const database = await EmbeddedDatabase.start({ dataDir, log: say, syncOnCommit: false });
  process.env.MONGODB_URI = database.uri;
  try {
    return await work();
  } finally {
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
