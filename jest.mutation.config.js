const { join } = require('node:path');
const config = require('./jest.config.js');

/** The tests of a mutation run (scripts/mutation.mjs): one file, which loads those of a scope. */
module.exports = {
  ...config,
  testEnvironment: './test/mutation/environment.cjs',
  // Kills a mutant that never responds before Stryker's own limit for a whole run does.
  testTimeout: 15000,
  testRegex: 'test/mutation/scope\\.ts$',
  // Stryker works on copies of the checkout; what is compiled once serves all runs.
  cacheDirectory: join(process.env.MUTATION_CACHE ?? config.cacheDirectory, 'jest'),
};
