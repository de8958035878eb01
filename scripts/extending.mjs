/** `npm run test:extending [-- --keep]`: follows docs/extending.md in a copy of the checkout. See README.md here. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { installMissing } from './lib/dependencies.mjs';
import { CACHE, NODE_MODULES, ROOT, TYPESCRIPT_CLIENT } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { capture, SIGNALS } from './lib/processes.mjs';
import { runMain, say, step } from './lib/steps.mjs';
import { applyBlock, readWalkthrough } from './lib/walkthrough.mjs';

const WALKTHROUGH = join(ROOT, 'docs', 'extending.md');
/** Builds like `npm run build`, and leaves the stamp by which the next command knows that it need not build again. */
const BUILD = "import { build } from './scripts/lib/build.mjs'; await build.make();";

runMain(async () => {
  const { blocks, tests } = readWalkthrough(readFileSync(WALKTHROUGH, 'utf8'));
  await prepare({ build: false, database: true });
  await installMissing(TYPESCRIPT_CLIENT);
  const copy = mkdtempSync(join(tmpdir(), 'roster-extending-'));
  const isKept = process.argv.includes('--keep');
  const remove = () => isKept || rmSync(copy, { recursive: true, force: true });
  process.once('exit', remove);
  for (const signal of SIGNALS) process.once(signal, () => process.exit(128 + constants.signals[signal]));
  await step('Copying the checkout', async () => copyTo(copy));
  await step(`Applying the ${blocks.length} code blocks of docs/extending.md`, async () => {
    for (const block of blocks) applyBlock(copy, block);
  });
  const inCopy = (...args) => capture('node', args, { cwd: copy });
  const files = [...new Set(blocks.map(({ path }) => path))];
  await step('Format', () => inCopy(program('prettier/bin/prettier.cjs'), '--write', ...files));
  await step('Building', () => inCopy('--input-type=module', '--eval', BUILD));
  const clientInCopy = join(copy, relative(ROOT, TYPESCRIPT_CLIENT));
  await step("Generating the client's types", () => capture('node', ['generate.mjs'], { cwd: clientInCopy }));
  // `npm run check` for what has changed: the rest of the checkout has been checked.
  await step('Lint, types, and the tests that the document names', () =>
    Promise.all([
      inCopy(
        program('eslint/bin/eslint.js'),
        '--max-warnings',
        '0',
        ...files.filter((path) => /\.m?[jt]s$/.test(path)),
      ),
      inCopy(program('typescript/bin/tsc'), '--noEmit', '-p', 'tsconfig.json'),
      inCopy('scripts/test.mjs', ...new Set(tests)),
    ]),
  );
  if (isKept) say(`The copy is in ${copy}`);
  return 0;
});

function program(path) {
  return join(NODE_MODULES, path);
}

/** Everything but what `.gitignore` names at the top; what is installed and cached is linked. Git may be missing. */
function copyTo(copy) {
  const ignored = readFileSync(join(ROOT, '.gitignore'), 'utf8').split('\n');
  const left = new Set(['.git', ...ignored.map((line) => line.replaceAll('/', ''))]);
  for (const name of readdirSync(ROOT)) {
    if (!left.has(name)) cpSync(join(ROOT, name), join(copy, name), { recursive: true, filter: isOurs });
  }
  for (const folder of [NODE_MODULES, CACHE, join(TYPESCRIPT_CLIENT, 'node_modules')])
    symlinkSync(realpathSync(folder), join(copy, relative(ROOT, folder)));
}

/** Packages of folders that have their own. */
function isOurs(path) {
  return basename(path) !== 'node_modules';
}
