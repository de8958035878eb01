/** `npm test [-- jest's options]`: prepares the checkout and runs the tests. See README.md here. */
import { join } from 'node:path';
import { NODE_MODULES } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { run } from './lib/processes.mjs';
import { runMain } from './lib/steps.mjs';

/** Jest's workers get them, too. Each test file loads all modules again: there is less to collect with more room for new objects. */
const FLAGS = ['--max-semi-space-size=64'];

runMain(async () => {
  await prepare({ build: true, database: true });
  return run('node', [...FLAGS, join(NODE_MODULES, '.bin', 'jest'), ...process.argv.slice(2)]);
});
