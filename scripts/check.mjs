/** `npm run check`: format, lint and types; runs all of them and fails if one does. See README.md here. */
import { join } from 'node:path';
import { NODE_MODULES } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { run } from './lib/processes.mjs';
import { runMain, say } from './lib/steps.mjs';

/**
 * Each is a program of a package, with its arguments; the last one is what the build made. The build here is only the
 * compilation: `npm run build` would write the document anew, and there would be nothing left to compare.
 */
const CHECKS = [
  { title: 'Format', program: 'prettier/bin/prettier.cjs', args: ['--check', '--log-level', 'warn', '.'] },
  { title: 'Lint', program: 'eslint/bin/eslint.js', args: ['-c', '.eslintrc.js', '.', '--max-warnings', '0'] },
  { title: 'Types', program: 'typescript/bin/tsc', args: ['--noEmit', '-p', 'tsconfig.json'] },
  { title: 'Build', program: '@nestjs/cli/bin/nest.js', args: ['build'] },
  { title: 'OpenAPI document and list of codes', program: '../dist/openapi/write.js', args: ['--check'] },
];

runMain(async () => {
  const node = await prepare({ build: false, database: false });
  let failed = 0;
  for (const { title, program, args } of CHECKS) {
    say(`· ${title} …`);
    const code = await run(node, [join(NODE_MODULES, program), ...args]);
    say(`${code === 0 ? '✔' : '✖'} ${title}`);
    if (code !== 0) failed++;
  }
  return failed === 0 ? 0 : 1;
});
