import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, TYPESCRIPT_CLIENT } from './paths.mjs';
import { SetupError } from './steps.mjs';

const TYPES = join(TYPESCRIPT_CLIENT, 'src', 'schema.ts');

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
