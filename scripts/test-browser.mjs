/** `npm run test:browser [-- jest's options]`: the tests that use Chromium. See README.md here. */
import { join } from 'node:path';
import { NODE_MODULES } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { run } from './lib/processes.mjs';
import { runMain } from './lib/steps.mjs';

runMain(async () => {
  const node = await prepare({ build: true, database: true });
  return run(node, [join(NODE_MODULES, 'jest', 'bin', 'jest.js'), 'test/browser', ...process.argv.slice(2)]);
});
