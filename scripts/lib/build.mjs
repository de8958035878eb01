import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { npm } from './node.mjs';
import { DIST, NODE_MODULES, ROOT } from './paths.mjs';
import { capture } from './processes.mjs';
import { step } from './steps.mjs';

/** What `npm run build` reads; tests change nothing in it. */
const INPUTS = ['src', 'nest-cli.json', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];
/** What it writes, at least; the OpenAPI document is committed too, but the build is where it comes from. */
const OUTPUTS = ['dist/main.js'];
/** The build empties `dist` when it begins and this is written last, so a build that was interrupted leaves none. */
const STAMP = join(DIST, '.inputs.sha256');
/** The two halves of `npm run build`. */
const NEST = join(NODE_MODULES, '@nestjs', 'cli', 'bin', 'nest.js');
const DOCUMENTS = join(DIST, 'openapi', 'write.js');

/** The compiled service, in `dist`. */
export const build = {
  isStale: () => OUTPUTS.some((path) => !existsSync(join(ROOT, path))) || read(STAMP) !== fingerprint(),

  make: () => step('Building the service', () => stamped(() => npm(['run', 'build']))),

  /**
   * Compiles it if it is stale, and compares the documents of the checkout with what it says, where `make` would write
   * them. What passes is as good as made.
   *
   * @param {string} node the Node.js to run things with
   * @throws {SetupError} when it cannot be compiled, or a document differs
   */
  check: (node) =>
    step('Build, OpenAPI document and list of codes', () =>
      stamped(async () => {
        if (build.isStale()) await capture(node, [NEST, 'build']);
        await capture(node, [DOCUMENTS, '--check']);
      }),
    ),
};

/** What changes while the work goes on is not in the stamp: the build is stale then. */
async function stamped(work) {
  const inputs = fingerprint();
  await work();
  writeFileSync(STAMP, inputs);
}

/** Of the contents, not of times: these change with every switch of branches. */
function fingerprint() {
  const hash = createHash('sha256');
  for (const path of INPUTS.flatMap((input) => filesOf(join(ROOT, input)))) {
    hash
      .update(`${relative(ROOT, path)}\0`)
      .update(readFileSync(path))
      .update('\0');
  }
  return hash.digest('hex');
}

function filesOf(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .filter((name) => !name.endsWith('.spec.ts'))
    .flatMap((name) => filesOf(join(path, name)));
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
