const { join } = require('node:path');
const config = require('./jest.config.js');

/** For mutation runs (scripts/mutation.mjs): a single test file that loads all tests of a scope. */
module.exports = {
  ...config,
  testEnvironment: './test/mutation/environment.cjs',
  // Kills a mutant that never responds sooner than Stryker's own limit for a whole run.
  testTimeout: 15000,
  testRegex: 'test/mutation/scope\\.ts$',
  // Stryker works on a copy of the checkout; all of its runs share the compiled files.
  cacheDirectory: join(process.env.MUTATION_CACHE ?? config.cacheDirectory, 'jest'),
};
