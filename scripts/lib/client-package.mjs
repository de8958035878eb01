import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packagesOf } from './dependencies.mjs';
import { fingerprintOf, isStamped } from './fingerprint.mjs';
import { CACHE, TYPESCRIPT_CLIENT } from './paths.mjs';
import { capture } from './processes.mjs';
import { step } from './steps.mjs';

const INPUTS = ['src', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'].map(
  (name) => `clients/typescript/${name}`,
);
/** Not in `dist`, which is published. Written last, so an interrupted build is repeated. */
const STAMP = join(CACHE, 'client-package.sha256');
const TSC = 'node_modules/typescript/bin/tsc';

/** The client package, compiled in its `dist`, and the packages that it needs. */
export const clientPackage = {
  ...packagesOf(TYPESCRIPT_CLIENT),

  isStale: () => !existsSync(join(TYPESCRIPT_CLIENT, 'dist', 'index.js')) || !isStamped(STAMP, fingerprintOf(INPUTS)),

  make: () =>
    step('Building the client package', async () => {
      const inputs = fingerprintOf(INPUTS);
      await capture('node', [TSC, '-p', 'tsconfig.build.json'], { cwd: TYPESCRIPT_CLIENT });
      mkdirSync(CACHE, { recursive: true });
      writeFileSync(STAMP, inputs);
    }),
};
