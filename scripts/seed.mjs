/** `npm run seed -- --users N --organizations N --apis N`: prepares the checkout and adds demo records. See README.md here. */
import { join } from 'node:path';
import { deployed } from './lib/deployed.mjs';
import { DIST } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { run } from './lib/processes.mjs';
import { runCommand } from './lib/run-with-database.mjs';
import { setting } from './lib/settings.mjs';
import { runMain } from './lib/steps.mjs';

const SEED = join(DIST, 'seed', 'main.js');

runMain(async () => {
  const command = [SEED, ...process.argv.slice(2)];
  if (setting('NODE_ENV') === 'production') return run(deployed(SEED), command);
  return runCommand(await prepare({ build: true, database: !setting('MONGODB_URI') }), command);
});
