/** `npm run bench [-- --quick]`: compares Roster with a small one that does the same work. See docs/performance.md. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseOptions } from '../bench/options.mjs';
import { debianPackages } from './lib/debian-packages.mjs';
import { goTools } from './lib/generators.mjs';
import { prepare } from './lib/prepare.mjs';
import { handleSignals, runMain, say, SetupError } from './lib/steps.mjs';

runMain(async () => {
  const options = parseOptions(process.argv.slice(2));
  if (process.platform !== 'linux') throw new SetupError('The benchmark reads /proc, so it needs Linux.');
  const parts = options.check || options.growth ? [] : [debianPackages({ wrk: 'wrk' })];
  if (options.pocketbase) parts.push(goTools);
  await prepare({ build: true, database: !process.env.MONGODB_URI, parts });
  // It uses packages, which `prepare` has installed.
  const { measure } = await import(`../bench/${options.part}.mjs`);
  return untilInterrupted((run) => measure({ ...run, options, print }));
});

/** Results go to stdout, progress to stderr. */
function print(text) {
  process.stdout.write(`${text}\n`);
}

/**
 * Passes on what a run needs: `folder` for its files, `secret` for access tokens, `signal`, and `atEnd` for what stops
 * what it started. On the first signal, that is stopped in order, the last first; on the second one, at once.
 */
async function untilInterrupted(work) {
  const folder = mkdtempSync(join(tmpdir(), 'roster-bench-'));
  const controller = new AbortController();
  const stops = [];
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  handleSignals(() => {
    if (controller.signal.aborted) process.exit(130);
    say('\nInterrupted; stopping what was started …');
    controller.abort();
  });
  const secret = randomBytes(48).toString('base64url');
  try {
    await work({ folder, secret, signal: controller.signal, atEnd: (stop) => stops.push(stop) });
    return 0;
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    return 130;
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}
