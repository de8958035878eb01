import { join } from 'node:path';
import { scopeNames, scopeOf } from './scripts/lib/mutation-scopes.mjs';
import { ROOT } from './scripts/lib/paths.mjs';

/** One scope at a time, the one that scripts/mutation.mjs names, with its own sources and tests (docs/testing.md). */
const scope = scopeOf(process.env.MUTATION_SCOPE ?? scopeNames[0]);
const reports = `reports/mutation/${scope.name}`;

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  mutate: scope.mutate,
  testRunner: 'jest',
  testRunnerNodeArgs: [
    ...['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
    // Each mutant loads the service anew, and leaves much garbage.
    ...['--max-semi-space-size=64', `--require=${join(ROOT, 'test/mutation/compiled.cjs')}`],
  ],
  // Otherwise each mutant would load every test file that reaches it. One file that contains them all is run instead.
  jest: { configFile: 'jest.mutation.config.js', enableFindRelatedTests: false },
  coverageAnalysis: 'perTest',
  ignoreStatic: scope.ignoreStatic,
  incremental: true,
  // Stryker notices changes of scope.ts, but not of the tests that it loads: when they change, a new file is begun.
  incrementalFile: `.cache/mutation/${scope.name}-${scope.fingerprint}.json`,
  // A test runner is a whole service, and two of them would slow each other down into time-outs.
  concurrency: 1,
  // Every run in the same process leaks some memory.
  maxTestRunnerReuse: 50,
  // Long, so a run on a busy machine does not count as a mutant that hangs.
  timeoutMS: scope.tests.some((path) => path.endsWith('.e2e-spec.ts')) ? 20_000 : 10_000,
  thresholds: { high: 95, low: 90, break: 85 },
  reporters: ['clear-text', 'progress-append-only', 'json', 'html'],
  clearTextReporter: { logTests: false, allowColor: false },
  jsonReporter: { fileName: `${reports}/mutation.json` },
  htmlReporter: { fileName: `${reports}/mutation.html` },
  tempDirName: '.stryker-tmp',
  // In the copy of the checkout: the embedded database is there, and the pages of /docs, which the build writes.
  buildCommand: 'ln -s ../../.cache ../../dist .',
  ignorePatterns: ['.hypothesis', '.schemathesis', '.cache', '.data', 'clients', 'coverage', 'dist', 'reports'],
  allowConsoleColors: false,
};
