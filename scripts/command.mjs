/** The npm commands on the database, such as `npm run admin`: prepares the checkout and runs one. See README.md here. */
import { COMMANDS } from './lib/paths.mjs';
import { prepareProgram, runOnDatabase } from './lib/run-with-database.mjs';
import { runMain } from './lib/steps.mjs';

runMain(async () => {
  await prepareProgram(COMMANDS);
  return runOnDatabase([COMMANDS, ...process.argv.slice(2)]);
});
