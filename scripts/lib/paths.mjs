import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. The scripts write only to `node_modules` (also in `examples` and `clients`), `dist`, `.cache` and `reports` in it. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export const CACHE = join(ROOT, '.cache');
export const NODE_MODULES = join(ROOT, 'node_modules');
export const DIST = join(ROOT, 'dist');

const CLIENT_FOLDER = join(ROOT, 'clients');
/** A program with a generated client. */
export const PYTHON_CLIENT = join(CLIENT_FOLDER, 'python');
/** The client package, and what tests it and other clients. Each has its own packages. */
export const TYPESCRIPT_CLIENT = join(CLIENT_FOLDER, 'typescript');
export const CLIENT_TESTS = join(CLIENT_FOLDER, 'tests');

/** An example that has its own packages. */
export const WEBHOOKS = join(ROOT, 'examples', 'webhooks');
