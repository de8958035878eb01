import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. The scripts write only to `node_modules` (also in `examples` and `clients`), `dist`, `.cache` and `reports` in it. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export const CACHE = join(ROOT, '.cache');
export const NODE_MODULES = join(ROOT, 'node_modules');
export const DIST = join(ROOT, 'dist');

/** The built programs: the service, and the commands on the database. */
export const SERVICE = join(DIST, 'main.js');
export const COMMANDS = join(DIST, 'commands', 'main.js');
/** Flags of Node.js, as in the Dockerfile: they save memory (docs/adr/0026). */
export const SERVICE_FLAGS = ['--max-semi-space-size=32', '--max-old-space-size=1024', '--expose-gc'];
/** A variable of glibc, as in the Dockerfile: it returns buffers of this many bytes and more immediately (mallopt(3)). */
export const SERVICE_ENV = { MALLOC_MMAP_THRESHOLD_: '131072' };

/** The client package, and what tests it and other clients. Each has its own packages. */
export const TYPESCRIPT_CLIENT = join(ROOT, 'clients', 'typescript');
export const CLIENT_TESTS = join(ROOT, 'clients', 'tests');
