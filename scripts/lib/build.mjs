import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprintOf, isStamped } from './fingerprint.mjs';
import { npm } from './node.mjs';
import { DIST, NODE_MODULES, ROOT } from './paths.mjs';
import { capture } from './processes.mjs';
import { step } from './steps.mjs';

/** What `npm run build` reads, except for tests. */
const INPUTS = ['src', 'nest-cli.json', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];
/** A file that every build writes. */
const OUTPUTS = ['dist/main.js'];
/** The build empties `dist` first and writes this last, so an interrupted build has none. */
const STAMP = join(DIST, '.inputs.sha256');
/** The two steps of `npm run build`. */
const NEST = join(NODE_MODULES, '@nestjs', 'cli', 'bin', 'nest.js');
const DOCUMENTS = join(DIST, 'openapi', 'write.js');

/** The compiled service, in `dist`. */
export const build = {
  isStale: () => OUTPUTS.some((path) => !existsSync(join(ROOT, path))) || !isStamped(STAMP, fingerprintOf(INPUTS)),

  make: () => step('Building the service', () => stamped(() => npm(['run', 'build']))),

  /**
   * Compiles it if it is stale, and compares the committed documents with the result, where `make` would write them. If
   * they are the same, the build is up to date.
   * @throws {SetupError} when it cannot be compiled, or a document differs
   */
  check: () =>
    step('Build, OpenAPI document and error codes', () =>
      stamped(async () => {
        if (build.isStale()) await capture('node', [NEST, 'build']);
        await capture('node', [DOCUMENTS, '--check']);
      }),
    ),
};

/** Uses the inputs from before the work: if they change during it, the build is stale. */
async function stamped(work) {
  const inputs = fingerprintOf(INPUTS);
  await work();
  writeFileSync(STAMP, inputs);
}
