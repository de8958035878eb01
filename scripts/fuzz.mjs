/** `npm run test:fuzz [-- nobody manager admin]`: schemathesis against the built service. See README.md here. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startFuzzedService } from './lib/fuzzed-service.mjs';
import { CACHE, ROOT } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { run } from './lib/processes.mjs';
import { schemathesis } from './lib/schemathesis.mjs';
import { runMain, say, SetupError } from './lib/steps.mjs';

/** The maximum number of test cases per operation and phase, and the time limit per role (s). */
const EXAMPLES = process.env.FUZZ_EXAMPLES ?? '40';
const SECONDS = process.env.FUZZ_SECONDS ?? '90';
/** The same seed and document result in the same requests. */
const SEED = process.env.FUZZ_SEED ?? '1';
const FOLDER = join(ROOT, 'scripts', 'fuzz');
const ROLES = ['nobody', 'manager', 'admin'];

runMain(async () => {
  const wanted = process.argv.slice(2);
  const node = await prepare({ build: true, database: true });
  const tool = await schemathesis();
  const failed = [];
  for (const role of wanted.length > 0 ? wanted : ROLES) {
    say(`· Fuzzing as ${role}, for up to ${SECONDS} s …`);
    if ((await fuzz(tool, node, role)) !== 0) failed.push(role);
  }
  say(failed.length === 0 ? '✔ Fuzzing' : `✖ Fuzzing failed as ${failed.join(', ')}`);
  return failed.length === 0 ? 0 : 1;
});

/** Starts a new service for each role, because a run would find the records of earlier ones. */
async function fuzz(tool, node, role) {
  const service = await startFuzzedService(node);
  try {
    const { token, ids } = await service.credentials(role);
    process.env.SCHEMATHESIS_HOOKS = join(FOLDER, 'hooks.py');
    process.env.FUZZ_OWN_IDS = ids.join(',');
    process.env.FUZZ_CACHE = join(CACHE, 'schemathesis', 'cache');
    process.env.HYPOTHESIS_STORAGE_DIRECTORY = join(CACHE, 'schemathesis', 'hypothesis');
    const header = token ? ['--header', `Authorization: Bearer ${token}`] : [];
    const code = await run(tool, [...options(role), ...header, service.document]);
    if (token && !(await service.isGood(token)))
      throw new SetupError('The access token of the run stopped working: see OWN_IDS in fuzz/hooks.py.');
    return code;
  } finally {
    await service.stop();
  }
}

function options(role) {
  const reports = join(ROOT, 'reports', 'fuzz', role);
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  mkdirSync(join(CACHE, 'schemathesis'), { recursive: true });
  return [
    ...['--config-file', join(FOLDER, 'schemathesis.toml'), 'run'],
    ...['--checks', 'all', '--phases', 'examples,coverage,fuzzing,stateful', '--continue-on-failure'],
    ...['--max-examples', EXAMPLES, '--max-time', SECONDS, '--seed', SEED, '--workers', '1'],
    ...['--report', 'json', '--report-dir', reports],
  ];
}
