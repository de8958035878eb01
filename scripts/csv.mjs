/** `npm run import:csv -- organizations.csv [--apply]` and `npm run export:csv -- apis.csv`: see examples/csv/README.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TYPESCRIPT_CLIENT } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { run } from './lib/processes.mjs';
import { runMain } from './lib/steps.mjs';

const [name, ...args] = process.argv.slice(2);
const PROGRAM = join(TYPESCRIPT_CLIENT, 'examples', name, `${name}.ts`);

runMain(async () => {
  if (['--help', '-h'].some((flag) => args.includes(flag))) return showHelp();
  // An import uses the service's own rules.
  await prepare({ build: name === 'import-csv', database: false, client: true });
  return run('node', ['--disable-warning=ExperimentalWarning', PROGRAM, ...args]);
});

/** Prints the usage and the comment at the head of the program, before anything is installed for it. */
function showHelp() {
  const program = readFileSync(PROGRAM, 'utf8');
  const [, comment = ''] = /^\/\*\*\n(.*?)\n \*\//s.exec(program) ?? [];
  const [, usage] = /^const USAGE =\s+'(.*)';$/m.exec(program) ?? [];
  process.stdout.write(`Usage: ${usage}\n\n${comment.replace(/^ \* ?/gm, '')}\n`);
  return 0;
}
