/** `npm run test:deployment [-- jest's options]`: proxies and the image. See docs/testing.md. */
import { debianPackages } from './lib/debian-packages.mjs';
import { prepare } from './lib/prepare.mjs';
import { run } from './lib/processes.mjs';
import { runMain } from './lib/steps.mjs';

/** Debian's packages, and a program or file of each. */
const PROGRAMS = {
  ...{ nginx: 'nginx', haproxy: 'haproxy', 'redis-server': 'redis-server', openssl: 'openssl' },
  ...{ buildah: 'buildah', debootstrap: 'debootstrap' },
  'debian-archive-keyring': '/usr/share/keyrings/debian-archive-keyring.gpg',
};

runMain(async () => {
  await prepare({ build: true, database: true, parts: [debianPackages(PROGRAMS)] });
  return run('jest', ['--maxWorkers', '1', ...process.argv.slice(2), '--testRegex', '\\.deployment-spec\\.ts$']);
});
