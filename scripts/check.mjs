/** `npm run check`: format, lint, types, build and the client's types; fails if any of them fails. See README.md here. */
import { join } from 'node:path';
import { build } from './lib/build.mjs';
import { hasCurrentTypes } from './lib/client-types.mjs';
import { NODE_MODULES } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { run } from './lib/processes.mjs';
import { alone } from './lib/setup-lock.mjs';
import { runMain, say } from './lib/steps.mjs';

/** Programs of packages, with their arguments. All are run, even if one fails. */
const CHECKS = [
  { title: 'Format', program: 'prettier/bin/prettier.cjs', args: ['--check', '--log-level', 'warn', '.'] },
  { title: 'Lint', program: 'eslint/bin/eslint.js', args: ['.', '--max-warnings', '0'] },
  // What another run has kept could report errors in files that nobody has touched.
  {
    title: 'Types',
    program: 'typescript/bin/tsc',
    args: ['--noEmit', '--incremental', 'false', '-p', 'tsconfig.json'],
  },
];

runMain(async () => {
  await prepare({ build: false, database: false });
  let failed = 0;
  for (const { title, program, args } of CHECKS) {
    say(`· ${title} …`);
    const code = await run('node', [join(NODE_MODULES, program), ...args]);
    say(`${code === 0 ? '✔' : '✖'} ${title}`);
    if (code !== 0) failed++;
  }
  if (!hasCurrentTypes()) {
    say(
      '✖ clients/typescript/src/schema.ts is older than openapi.json: npm ci && npm run generate in clients/typescript',
    );
    failed++;
  }
  // The build empties `dist`, and another command may be building at the same time.
  await alone(() => build.check());
  return failed === 0 ? 0 : 1;
});
