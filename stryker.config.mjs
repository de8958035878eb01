import { scopeOf } from './scripts/lib/mutation-scopes.mjs';

/** One scope at a time, as scripts/mutation.mjs names it: its sources are judged by its own tests (docs/testing.md). */
const scope = scopeOf(process.env.MUTATION_SCOPE);
const reports = `reports/mutation/${scope.name}`;

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  mutate: scope.mutate,
  testRunner: 'jest',
  // Every mutant would load every test file that reaches it; one file that holds them all is what is run instead.
  jest: { configFile: 'jest.mutation.config.js', enableFindRelatedTests: false },
  coverageAnalysis: 'perTest',
  ignoreStatic: scope.ignoreStatic,
  incremental: true,
  // Stryker sees changes of scope.ts alone, not of the tests that it loads: these begin a file of their own.
  incrementalFile: `.cache/mutation/${scope.name}-${scope.fingerprint}.json`,
  // A test runner is a whole service, and the tests of two would share the processors that timings hang on.
  concurrency: 1,
  // jest in one process keeps memory of each run.
  maxTestRunnerReuse: 50,
  // Long: a run that a busy machine holds up must not count as a mutant that hangs.
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
