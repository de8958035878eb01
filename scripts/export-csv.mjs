/** `npm run export:csv -- apis.csv`: see examples/csv/README.md. */
import { join } from 'node:path';
import { TYPESCRIPT_CLIENT } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { run } from './lib/processes.mjs';
import { runMain, showsHelp } from './lib/steps.mjs';

const PROGRAM = join(TYPESCRIPT_CLIENT, 'examples', 'export-csv', 'export-csv.ts');

runMain(async () => {
  if (showsHelp(PROGRAM)) return 0;
  await prepare({ build: false, database: false, client: true });
  return run('node', ['--disable-warning=ExperimentalWarning', PROGRAM, ...process.argv.slice(2)]);
});
