import { createHash } from 'node:crypto';

/** The first line of the types that are generated from a document. */
export function firstLineOf(document) {
  return `// Types of the openapi.json with the SHA-256 ${createHash('sha256').update(document).digest('hex')}`;
}
