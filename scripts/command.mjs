/** The npm commands on the database, such as `npm run seed`: prepares the checkout and runs one. See README.md here. */
import { join } from 'node:path';
import { DIST } from './lib/paths.mjs';
import { prepareProgram, runOnDatabase } from './lib/run-with-database.mjs';
import { runMain } from './lib/steps.mjs';

const MAIN = join(DIST, 'commands/main.js');

runMain(async () => {
  await prepareProgram(MAIN);
  return runOnDatabase([MAIN, ...process.argv.slice(2)]);
});
