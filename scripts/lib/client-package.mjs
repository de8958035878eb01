import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packagesOf } from './dependencies.mjs';
import { fingerprintOf, isStamped, stamped } from './fingerprint.mjs';
import { CACHE, ROOT, TYPESCRIPT_CLIENT } from './paths.mjs';
import { capture } from './processes.mjs';
import { SetupError, step } from './steps.mjs';

const INPUTS = ['src', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'].map(
  (name) => `clients/typescript/${name}`,
);
/** Not in `dist`, which is published. */
const STAMP = join(CACHE, 'client-package.sha256');
const TYPES = join(TYPESCRIPT_CLIENT, 'src', 'schema.ts');
const COMPILE = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'];

/** The packages that the client package needs. */
export const clientPackages = packagesOf(TYPESCRIPT_CLIENT);

/** The client package, compiled in its `dist`. */
export const clientPackage = {
  isReady: () => existsSync(join(TYPESCRIPT_CLIENT, 'dist', 'index.js')) && isStamped(STAMP, fingerprintOf(INPUTS)),

  prepare: () =>
    step('Building the client package', () =>
      stamped(STAMP, fingerprintOf(INPUTS), () => capture('node', COMPILE, { cwd: TYPESCRIPT_CLIENT })),
    ),
};

/** The first line of the types that are generated from a document. */
export function firstLineOf(document) {
  return `// Types of the openapi.json with the SHA-256 ${createHash('sha256').update(document).digest('hex')}`;
}

/** @throws {SetupError} if the types of the TypeScript client are older than openapi.json */
export async function requireCurrentTypes() {
  if (!existsSync(TYPES)) return;
  if (readFileSync(TYPES, 'utf8').startsWith(firstLineOf(readFileSync(join(ROOT, 'openapi.json'))))) return;
  throw new SetupError(
    '✖ clients/typescript/src/schema.ts is older than openapi.json: npm ci && npm run generate in clients/typescript',
  );
}
