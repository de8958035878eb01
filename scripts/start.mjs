/** `npm start`: prepares the checkout and runs the service until it ends. See README.md here. */
import './lib/stop-early.mjs';
import { join } from 'node:path';
import { deployed } from './lib/deployed.mjs';
import { DIST } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { run } from './lib/processes.mjs';
import { runService } from './lib/run-with-database.mjs';
import { setting } from './lib/settings.mjs';
import { runMain, SetupError } from './lib/steps.mjs';

const MAIN = join(DIST, 'main.js');

/** Keeps the service at about 300 MiB under load (docs/operating.md). */
const COMMAND = ['--max-semi-space-size=32', '--max-old-space-size=1024', MAIN];

runMain(async () => {
  if (process.argv.length > 2) {
    throw new SetupError('npm start takes no options. Settings are environment variables: PORT=3001 npm start');
  }
  if (setting('NODE_ENV') === 'production') return run(deployed(MAIN), COMMAND);
  return runService(await prepare({ build: true, database: !setting('MONGODB_URI') }), COMMAND);
});
