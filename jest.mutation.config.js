/** The tests of a mutation run (scripts/mutation.mjs): one file, which loads those of a scope. */
module.exports = {
  ...require('./jest.config.js'),
  testEnvironment: './test/mutation/environment.cjs',
  resolver: './test/mutation/resolver.cjs',
  // Kills a mutant that never responds before Stryker's own limit for a whole run does.
  testTimeout: process.env.MUTATION_TESTS?.includes('.e2e-spec.') ? 15_000 : 5_000,
  testRegex: 'test/mutation/scope\\.ts$',
};
