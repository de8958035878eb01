import { join } from 'node:path';
import { deployed } from './deployed.mjs';
import { DIST } from './paths.mjs';
import { prepare } from './prepare.mjs';
import { run } from './processes.mjs';
import { runOnDatabase } from './run-with-database.mjs';
import { setting } from './settings.mjs';
import { runMain } from './steps.mjs';

/**
 * Prepares the checkout and runs a program of `dist` that works on the database and then ends, with the arguments of this
 * process.
 *
 * @param {string} program its path in `dist`
 */
export function runCommand(program) {
  const file = join(DIST, program);
  const command = [file, ...process.argv.slice(2)];
  return runMain(async () => {
    if (setting('NODE_ENV') === 'production') return run(deployed(file), command);
    return runOnDatabase(await prepare({ build: true, database: !setting('MONGODB_URI') }), command);
  });
}
