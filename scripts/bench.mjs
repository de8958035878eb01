/** `npm run bench [-- --quick]`: compares Roster with a small one that does the same work. See docs/performance.md. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseOptions } from '../bench/options.mjs';
import { cleanUp } from '../test/chaos/lib/cleanup.mjs';
import { debianPackages } from './lib/debian-packages.mjs';
import { prepare } from './lib/prepare.mjs';
import { handleSignals, runMain, SetupError } from './lib/steps.mjs';

runMain(async () => {
  const options = parseOptions(process.argv.slice(2));
  if (process.platform !== 'linux') throw new SetupError('The benchmark reads /proc, so it needs Linux.');
  const parts = options.growth ? [] : [debianPackages({ wrk: 'wrk' })];
  await prepare({ build: true, database: !process.env.MONGODB_URI, parts });
  // It uses packages, which `prepare` has installed.
  const { measure } = await import(options.growth ? '../bench/growth.mjs' : '../bench/compare.mjs');
  const folder = mkdtempSync(join(tmpdir(), 'roster-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const secret = randomBytes(48).toString('base64url');
  handleSignals(() => void cleanUp().then(() => process.exit(130)));
  await measure({ folder, secret, options, print }).finally(cleanUp);
  return 0;
});

/** Results go to stdout, progress to stderr. */
const print = (text) => process.stdout.write(`${text}\n`);
