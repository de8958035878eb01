import { join } from 'node:path';

/**
 * The document that the build writes and the service serves; it lies as far above `src/openapi` as above
 * `dist/openapi`.
 */
export const DOCUMENT_FILE = join(__dirname, '../../openapi.json');
