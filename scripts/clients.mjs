/**
 * `npm run test:clients [-- --all]`: lints openapi.json, generates clients, and tests them; with `--all` also those in Go
 * and Java, which need these and Maven. See clients/README.md.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { packagesOf } from './lib/dependencies.mjs';
import { goTools, javaTools } from './lib/generators.mjs';
import { CLIENT_TESTS, ROOT, TYPESCRIPT_CLIENT } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { run } from './lib/processes.mjs';
import { pythonTool } from './lib/python-tool.mjs';
import { runMain, SetupError } from './lib/steps.mjs';

const GENERATOR = 'openapi-python-client';
/** One file at a time: the first one generates the clients. */
const OPTIONS = ['--test', '--test-concurrency=1', '--disable-warning=ExperimentalWarning'];
const isAll = process.argv.includes('--all');
const TESTS = [join(CLIENT_TESTS, isAll ? '**' : '', '*.test.{mjs,ts}'), join(TYPESCRIPT_CLIENT, 'test', '*.test.ts')];

runMain(async () => {
  const missing = isAll && (javaTools.missing() ?? goTools.missing());
  if (missing) throw new SetupError(`The clients in Go and Java need ${missing}, which is not installed.`);
  // Has what the generated client needs, too.
  const python = pythonTool(GENERATOR, `${GENERATOR} 0.29.1`, [`${GENERATOR}==0.29.1`]);
  await prepare({
    build: true,
    database: true,
    client: true,
    parts: [packagesOf(CLIENT_TESTS), python, ...(isAll ? [javaTools] : [])],
  });
  mkdirSync(join(ROOT, 'reports'), { recursive: true });
  const reporters = { spec: 'stderr', [join(CLIENT_TESTS, 'counts.mjs')]: join(ROOT, 'reports', 'clients.json') };
  const options = Object.entries(reporters).flatMap(([reporter, destination]) => [
    `--test-reporter=${reporter}`,
    `--test-reporter-destination=${destination}`,
  ]);
  return run('node', [...OPTIONS, ...options, ...TESTS], { env: { PYTHON: join(python.bin, 'python') } });
});
