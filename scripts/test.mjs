/** `npm test [-- jest's options]`: prepares the checkout and runs the tests. See README.md here. */
import { prepare } from './lib/prepare.mjs';
import { run } from './lib/processes.mjs';
import { runMain } from './lib/steps.mjs';

runMain(async () => {
  await prepare({ build: true, database: true });
  return run('jest', process.argv.slice(2));
});
