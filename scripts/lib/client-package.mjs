import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packagesOf } from './dependencies.mjs';
import { isStamped, stamped } from './fingerprint.mjs';
import { CACHE, TYPESCRIPT_CLIENT } from './paths.mjs';
import { capture } from './processes.mjs';
import { step } from './steps.mjs';

const INPUTS = ['src', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'].map(
  (name) => `clients/typescript/${name}`,
);
/** Not in `dist`, which is published. */
const STAMP = join(CACHE, 'client-package.sha256');
const COMPILE = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'];

/** The packages that the client package needs. */
export const clientPackages = packagesOf(TYPESCRIPT_CLIENT);

/** The client package, compiled in its `dist`. */
export const clientPackage = {
  isReady: () => existsSync(join(TYPESCRIPT_CLIENT, 'dist', 'index.js')) && isStamped(STAMP, INPUTS),

  prepare: () =>
    step('Building the client package', () =>
      stamped(STAMP, INPUTS, () => capture('node', COMPILE, { cwd: TYPESCRIPT_CLIENT })),
    ),
};
