/** `npm test [-- jest's options]`: prepares the checkout and runs the tests. See README.md here. */
import { join } from 'node:path';
import { NODE_MODULES } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { run } from './lib/processes.mjs';
import { runMain } from './lib/steps.mjs';

runMain(async () => {
  await prepare({ build: true, database: true });
  return run('node', [join(NODE_MODULES, 'jest', 'bin', 'jest.js'), ...process.argv.slice(2)]);
});
