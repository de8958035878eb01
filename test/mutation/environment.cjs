const { TestEnvironment } = require('jest-environment-node');

/**
 * The environment of a mutation run: one failed test kills the mutant, so the tests after it are passed over. jest's own
 * `bail` does so between files only.
 */
module.exports = class MutationEnvironment extends TestEnvironment {
  hasFailed = false;

  handleTestEvent({ name, test }) {
    // Not at the failure itself: where beforeAll fails, it is the first test that tells of it.
    if (name === 'test_done' && test.errors.length > 0) this.hasFailed = true;
    if (name === 'test_start' && this.hasFailed) test.mode = 'skip';
  }
};
