/** `npm test [-- jest's options]`, or another kind of tests, such as `npm run test:slow`: prepares the checkout and runs tests. See docs/testing.md. */
import { join } from 'node:path';
import { debianPackages } from './lib/debian-packages.mjs';
import { NODE_MODULES } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { run } from './lib/processes.mjs';
import { runMain } from './lib/steps.mjs';

const JEST = join(NODE_MODULES, 'jest', 'bin', 'jest.js');
/** Two of jest's documentation, for packages that are ES modules only, and one for fewer garbage collections. */
const FLAGS = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', '--max-semi-space-size=32'];

/** `--kind=slow`: the tests in `*.slow-spec.ts`. */
const [, kind] = /^--kind=(\w+)$/.exec(process.argv[2]) ?? [];
const options = process.argv.slice(kind ? 3 : 2);

/** What `npm run test:deployment` needs: Debian's packages, and a program or file of each. */
const PROGRAMS = {
  ...{ nginx: 'nginx', haproxy: 'haproxy', 'redis-server': 'redis-server', openssl: 'openssl' },
  ...{ buildah: 'buildah', debootstrap: 'debootstrap' },
  'debian-archive-keyring': '/usr/share/keyrings/debian-archive-keyring.gpg',
};

runMain(async () => {
  const parts = kind === 'deployment' ? [debianPackages(PROGRAMS)] : [];
  await prepare({ build: true, database: true, parts });
  // At the end: it would take the paths of tests that come after it.
  return run('node', [...FLAGS, JEST, ...options, ...(kind ? ['--testRegex', `\\.${kind}-spec\\.ts$`] : [])]);
});
