import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. Everything that the bootstrap makes stays inside it, in `node_modules`, `dist` and `.cache`. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export const CACHE = join(ROOT, '.cache');
export const NODE_MODULES = join(ROOT, 'node_modules');
export const DIST = join(ROOT, 'dist');
