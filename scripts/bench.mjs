/** `npm run bench [-- --quick]`: compares Roster with a small one that does the same work. See docs/performance.md. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseOptions } from '../bench/options.mjs';
import { cleanUp } from '../test/chaos/lib/cleanup.mjs';
import { debianPackages } from './lib/debian-packages.mjs';
import { prepare } from './lib/prepare.mjs';
import { handleSignals, runMain, say, SetupError } from './lib/steps.mjs';

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
  return untilInterrupted(() => measure({ folder, secret, options, print }));
});

/** Results go to stdout, progress to stderr. */
function print(text) {
  process.stdout.write(`${text}\n`);
}

/** Stops what the work started: at its end, or on the first signal. The second one ends this process at once. */
async function untilInterrupted(work) {
  let isInterrupted = false;
  handleSignals(() => {
    if (isInterrupted) process.exit(130);
    isInterrupted = true;
    say('\nInterrupted; stopping what was started …');
    void cleanUp().then(() => process.exit(130));
  });
  try {
    await work();
  } catch (error) {
    // Because of what was stopped. This process ends when the rest has stopped, too.
    if (isInterrupted) await new Promise(() => undefined);
    throw error;
  } finally {
    await cleanUp();
  }
  return 0;
}
