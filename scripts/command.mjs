/** The npm commands on the database, such as `npm run seed`: prepares the checkout and runs one. See README.md here. */
import { join } from 'node:path';
import { deployed } from './lib/deployed.mjs';
import { DIST } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { run } from './lib/processes.mjs';
import { runOnDatabase } from './lib/run-with-database.mjs';
import { setting } from './lib/settings.mjs';
import { runMain } from './lib/steps.mjs';

const MAIN = join(DIST, 'commands/main.js');

runMain(async () => {
  const command = [MAIN, ...process.argv.slice(2)];
  if (setting('NODE_ENV') === 'production') return run(deployed(MAIN), command);
  return runOnDatabase(await prepare({ build: true, database: !setting('MONGODB_URI') }), command);
});
