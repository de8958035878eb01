/** `npm run test:player [-- options of node --test]`: runs test/player against the built service. See docs/testing.md. */
import { prepare } from './lib/prepare.mjs';
import { run } from './lib/processes.mjs';
import { runMain } from './lib/steps.mjs';

runMain(async () => {
  await prepare({ build: true, database: true });
  return run('node', ['--test', ...process.argv.slice(2), 'test/player/*.test.mjs']);
});
