/** `npm run check`: format, lint, types, build and the client's types; fails if any of them fails. See README.md here. */
import { build } from './lib/build.mjs';
import { requireCurrentTypes } from './lib/client-package.mjs';
import { prepare } from './lib/prepare.mjs';
import { capture } from './lib/processes.mjs';
import { alone } from './lib/setup-lock.mjs';
import { runMain, say, step } from './lib/steps.mjs';

/** Programs of packages, with their arguments. */
const CHECKS = {
  Format: ['prettier', '--check', '--log-level', 'warn', '.'],
  Lint: ['eslint', '.', '--max-warnings', '0'],
  // What another run has kept could report errors in files that nobody has touched.
  Types: ['tsc', '--noEmit', '--incremental', 'false', '-p', 'tsconfig.json'],
};

runMain(async () => {
  await prepare({ build: false, database: false });
  const checks = Object.entries(CHECKS).map(([title, [program, ...args]]) => step(title, () => capture(program, args)));
  const results = await Promise.allSettled([...checks, requireCurrentTypes()]);
  const failed = results.filter(({ status }) => status === 'rejected');
  for (const { reason } of failed) say(reason.message);
  // The build empties `dist`, and another command may be building at the same time.
  await alone(() => build.check());
  return failed.length === 0 ? 0 : 1;
});
