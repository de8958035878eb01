/** `npm run bench [-- --quick]`: compares Roster with small services that do the same work. See docs/performance.md. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NODE_MODULES, ROOT } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { capture, SIGNALS } from './lib/processes.mjs';
import { runMain, say, SetupError, step } from './lib/steps.mjs';

runMain(async () => {
  const node = await prepare({ build: true, database: !process.env.MONGODB_URI });
  // These use packages, which `prepare` has installed.
  const { parseOptions, USAGE } = await import('../bench/options.mjs');
  const options = parseOptions(process.argv.slice(2));
  if (!options) return print(USAGE) ?? 0;
  const run = { node, print, secret: randomBytes(48).toString('base64url') };
  requireTools(options);
  const alone = await rosterOnly(options);
  if (alone) return untilInterrupted((signal, folder) => alone({ ...run, options, signal, folder }));
  if (options.services.some(({ name }) => name === 'nest')) await compileNestPeer(node);
  const { runBench } = await import('../bench/run.mjs');
  return untilInterrupted((signal, folder) => runBench({ ...run, options, signal, folder }));
});

/** What measures Roster without its peers, if that is asked for. */
async function rosterOnly({ growth, memory, instances }) {
  if (growth) return (await import('../bench/growth.mjs')).runGrowth;
  if (memory) return (await import('../bench/memory.mjs')).runMemory;
  return instances ? (await import('../bench/instances.mjs')).runInstances : undefined;
}

/** Results go to stdout, progress to stderr. */
function print(text) {
  process.stdout.write(`${text}\n`);
}

function requireTools({ check, growth }) {
  if (process.platform !== 'linux') throw new SetupError('The benchmark reads /proc, so it needs Linux.');
  if (check || growth) return;
  try {
    execFileSync('sh', ['-c', 'command -v wrk']);
  } catch {
    throw new SetupError('The benchmark needs wrk: apt-get install wrk.');
  }
}

/** TypeScript, because of its decorators; the other peers need no build. */
function compileNestPeer(node) {
  const tsc = join(NODE_MODULES, 'typescript', 'bin', 'tsc');
  return step('Compiling the Nest peer', () => capture(node, [tsc, '-p', join(ROOT, 'bench', 'peers', 'nest')]));
}

/** On the first signal, what was started is stopped in order; on the second one, at once. */
async function untilInterrupted(work) {
  const folder = mkdtempSync(join(tmpdir(), 'roster-bench-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(130);
    say('\nInterrupted; stopping what was started …');
    controller.abort();
  };
  process.once('exit', remove);
  for (const signal of SIGNALS) process.on(signal, interrupt);
  try {
    return await work(controller.signal, folder);
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    return 130;
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt);
    remove();
  }
}
