/** `npm run test:chaos [-- scenario …]`: breaks things while clients work. See docs/reliability.md. */
import { join } from 'node:path';
import { debianPackages } from './lib/debian-packages.mjs';
import { ROOT } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { handleSignals, runMain, say, SetupError } from './lib/steps.mjs';
import { cleanUp } from '../test/chaos/lib/cleanup.mjs';
import { Report } from '../test/chaos/lib/report.mjs';

const FOLDER = join(ROOT, 'test', 'chaos', 'scenarios');
/** In the order in which they run; docs/reliability.md describes them. */
const SCENARIOS = [
  ...['killed-server', 'killed-database', 'absent-database', 'full-disk', 'rolling-restarts', 'redis'],
  ...['slow-connections', 'login-flood', 'search-flood', 'manager-flood', 'combined-flood'],
];
/** Debian's packages, and the programs in them. */
const TOOLS = { 'redis-server': 'redis-server', haproxy: 'haproxy' };
/** `CHAOS_SCALE=0.1` runs a tenth of each scenario's kills, restarts and seconds, to try it out. */
const SCALE = Number(process.env.CHAOS_SCALE ?? '1');

runMain(async () => {
  process.exitCode = 1; // in case it ends before its last line
  const wanted = process.argv.slice(2);
  const unknown = wanted.filter((name) => !SCENARIOS.includes(name));
  if (unknown.length > 0) throw new SetupError(`Unknown: ${unknown.join(', ')}. There are: ${SCENARIOS.join(', ')}.`);
  if (!(SCALE > 0)) throw new SetupError(`CHAOS_SCALE is not a number above 0: ${process.env.CHAOS_SCALE}`);
  await prepare({ build: true, database: true, parts: [debianPackages(TOOLS)] });
  handleSignals(() => void cleanUp().then(() => process.exit(1)));
  return (await runAll(wanted.length > 0 ? wanted : SCENARIOS)) ? 0 : 1;
});

async function runAll(names) {
  const report = new Report();
  for (const name of names) await runOne(name, report);
  const holds = report.finish();
  setImmediate(() => process.exit());
  return holds;
}

async function runOne(name, report) {
  const { title, run } = await import(join(FOLDER, `${name}.mjs`));
  process.stdout.write(`\n${name}: ${title}\n`);
  await run({ report, times: (count) => Math.max(1, Math.round(count * SCALE)) }).catch((error) => {
    say(String(error.stack));
    report.broken(error.message);
  });
  await cleanUp();
}
