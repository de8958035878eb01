import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, TYPESCRIPT_CLIENT } from './paths.mjs';

const TYPES = join(TYPESCRIPT_CLIENT, 'src', 'schema.ts');

/** The first line of the types that are generated from a document. */
export function firstLineOf(document) {
  return `// Types of the openapi.json with the SHA-256 ${createHash('sha256').update(document).digest('hex')}`;
}

/** Is false where the types of the TypeScript client are older than openapi.json. */
export function hasCurrentTypes() {
  if (!existsSync(TYPES)) return true;
  return readFileSync(TYPES, 'utf8').startsWith(firstLineOf(readFileSync(join(ROOT, 'openapi.json'))));
}
