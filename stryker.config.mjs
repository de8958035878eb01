import { scopeOf } from './scripts/lib/mutation-scopes.mjs';

/** Mutates the sources of one scope, named by scripts/mutation.mjs, and runs its tests (docs/testing.md). */
const scope = scopeOf(process.env.MUTATION_SCOPE);
const reports = `reports/mutation/${scope.name}`;

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  mutate: scope.mutate,
  testRunner: 'jest',
  // A single file loads all tests of the scope, instead of every related test file for every mutant.
  jest: { configFile: 'jest.mutation.config.js', enableFindRelatedTests: false },
  coverageAnalysis: 'perTest',
  ignoreStatic: scope.ignoreStatic,
  incremental: true,
  // Stryker notices changes of scope.ts only, not of the tests that it loads, so their fingerprint is in the name.
  incrementalFile: `.cache/mutation/${scope.name}-${scope.fingerprint}.json`,
  // A test runner is a whole service, and some tests depend on timings, which two runners would disturb.
  concurrency: 1,
  // jest leaks memory with each run in the same process.
  maxTestRunnerReuse: 50,
  // Long, because a slow run on a busy machine must not count as a mutant that hangs.
  timeoutMS: 20_000,
  thresholds: { high: 95, low: 90, break: 85 },
  reporters: ['clear-text', 'progress-append-only', 'json', 'html'],
  clearTextReporter: { logTests: false, allowColor: false },
  jsonReporter: { fileName: `${reports}/mutation.json` },
  htmlReporter: { fileName: `${reports}/mutation.html` },
  tempDirName: '.stryker-tmp',
  ignorePatterns: ['.hypothesis', '.schemathesis', '.cache', '.data', 'coverage', 'dist', 'reports'],
  allowConsoleColors: false,
};
