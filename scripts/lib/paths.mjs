import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. The scripts write only to `node_modules` (also in `examples` and `clients`), `dist`, `.cache` and `reports` in it. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export const CACHE = join(ROOT, '.cache');
export const NODE_MODULES = join(ROOT, 'node_modules');
export const DIST = join(ROOT, 'dist');

/** The client package, and what tests it and other clients. Each has its own packages. */
export const TYPESCRIPT_CLIENT = join(ROOT, 'clients', 'typescript');
export const CLIENT_TESTS = join(ROOT, 'clients', 'tests');
