const { join } = require('node:path');
const config = require('./jest.config.js');

/** The tests of a mutation run (scripts/mutation.mjs): one file that loads those of a scope. */
module.exports = {
  ...config,
  testEnvironment: './test/mutation/environment.cjs',
  // A mutant that never answers is killed by this, and not only by Stryker's own limit for a whole run.
  testTimeout: 15000,
  testRegex: 'test/mutation/scope\\.ts$',
  // Stryker works on a copy of the checkout; what has been compiled once serves all of its runs.
  cacheDirectory: join(process.env.MUTATION_CACHE ?? config.cacheDirectory, 'jest'),
};
