import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprintOf, isStamped, stamped } from './fingerprint.mjs';
import { npm } from './node.mjs';
import { DIST, SERVICE } from './paths.mjs';
import { capture } from './processes.mjs';
import { step } from './steps.mjs';

/** What `npm run build` reads, except for tests. Of docs, it writes one page itself. */
const INPUTS = [
  ...['src', 'docs/contract.md', 'docs/limits.md', 'docs/versioning.md', 'nest-cli.json'],
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'],
];
/** The build empties `dist` first and writes this last, so an interrupted build has none. */
const STAMP = join(DIST, '.inputs.sha256');
/** Writes the documents of the build: the second step of `npm run build`. */
const DOCUMENTS = join(DIST, 'commands', 'write-documents.js');

/** The compiled service, in `dist`. If the inputs change during the build, it is stale. */
export const build = {
  isReady: () => existsSync(SERVICE) && isStamped(STAMP, fingerprintOf(INPUTS)),

  prepare: () => step('Building the service', () => stamped(STAMP, fingerprintOf(INPUTS), () => npm(['run', 'build']))),

  /** Compiles it if it is stale, and compares the committed documents with the result instead of writing them. */
  check: () =>
    step('Build, OpenAPI document and error codes', () =>
      stamped(STAMP, fingerprintOf(INPUTS), async () => {
        if (!build.isReady()) await capture('nest', ['build']);
        await capture('node', [DOCUMENTS, '--check']);
      }),
    ),
};
