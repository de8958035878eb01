/** `npm run test:extending [-- --keep]`: follows docs/extending.md in a copy of the checkout. */
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { clientPackages } from './lib/client-package.mjs';
import { CACHE, NODE_MODULES, ROOT, TYPESCRIPT_CLIENT } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { capture } from './lib/processes.mjs';
import { runMain, say, step } from './lib/steps.mjs';
import { applyBlock, readWalkthrough } from './lib/walkthrough.mjs';

const WALKTHROUGH = join(ROOT, 'docs', 'extending.md');
const PATCH = join(ROOT, 'docs', 'extending', 'subscriptions.patch');

runMain(async () => {
  const { blocks, runs } = readWalkthrough(readFileSync(WALKTHROUGH, 'utf8'));
  await prepare({ build: false, database: true, parts: [clientPackages] });
  const copy = mkdtempSync(join(tmpdir(), 'roster-extending-'));
  const isKept = process.argv.includes('--keep');
  const remove = () => isKept || rmSync(copy, { recursive: true, force: true });
  process.once('exit', remove);
  await step('Copying the checkout', async () => copyTo(copy));
  await step(`Applying the ${blocks.length} code blocks of docs/extending.md`, async () => {
    for (const block of blocks) applyBlock(copy, block);
  });
  await step('Applying docs/extending/subscriptions.patch', () => capture('git', ['apply', PATCH], { cwd: copy }));
  const inCopy = (command, ...args) => capture(command, args, { cwd: copy });
  const patched = Array.from(readFileSync(PATCH, 'utf8').matchAll(/^\+\+\+ b\/(.+)$/gm), ([, path]) => path);
  const files = [...new Set([...blocks.map(({ path }) => path), ...patched])];
  await step('Format', () => inCopy('prettier', '--write', ...files));
  const test = async () => {
    for (const run of runs)
      await step(`npm test -- ${run.join(' ')}`, () => inCopy('node', 'scripts/test.mjs', ...run));
    const client = join(copy, relative(ROOT, TYPESCRIPT_CLIENT));
    await step("Generating the client's types", () => capture('node', ['generate.mjs'], { cwd: client }));
  };
  // `npm run check` for what has changed: the rest of the checkout has been checked.
  const linted = files.filter((path) => /\.m?[jt]s$/.test(path));
  await Promise.all([
    step('Lint', () => inCopy('eslint', '--max-warnings', '0', ...linted)),
    step('Types', () => inCopy('tsc', '--noEmit', '-p', 'tsconfig.json')),
    test(),
  ]);
  if (isKept) say(`The copy is in ${copy}`);
  return 0;
});

/** Everything but what `.gitignore` names; what is installed and cached is linked. Git may be missing. */
function copyTo(copy) {
  const ignored = readFileSync(join(ROOT, '.gitignore'), 'utf8').split('\n');
  const left = new Set(['.git', ...ignored.map((line) => line.replaceAll('/', ''))]);
  cpSync(ROOT, copy, { recursive: true, filter: (path) => !left.has(basename(path)) });
  for (const folder of [NODE_MODULES, CACHE, join(TYPESCRIPT_CLIENT, 'node_modules')])
    symlinkSync(realpathSync(folder), join(copy, relative(ROOT, folder)));
}
