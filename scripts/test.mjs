/** `npm test [-- jest's options]`: prepares the checkout and runs the tests. See README.md here. */
import { join } from 'node:path';
import { NODE_MODULES } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { run } from './lib/processes.mjs';
import { runMain } from './lib/steps.mjs';

const JEST = join(NODE_MODULES, 'jest', 'bin', 'jest.js');
/** Two of jest's documentation, for packages that are ES modules only, and one for fewer garbage collections. */
const FLAGS = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', '--max-semi-space-size=32'];

runMain(async () => {
  await prepare({ build: true, database: true });
  return run('node', [...FLAGS, JEST, ...process.argv.slice(2)]);
});
