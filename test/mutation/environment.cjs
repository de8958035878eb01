const TestEnvironment = require('../support/environment.cjs');

/**
 * The environment of a mutation run: one failed test kills the mutant, so the tests after it are passed over. jest's own
 * `bail` does so between files only.
 */
module.exports = class MutationEnvironment extends TestEnvironment {
  hasFailed = false;

  handleTestEvent(event) {
    super.handleTestEvent(event);
    const { name, test, describeBlock } = event;
    // Not at the failure itself: where beforeAll fails, it is the first test that tells of it.
    if (name === 'test_done' && test.errors.length > 0) this.hasFailed = true;
    if (!this.hasFailed) return;
    if (name === 'test_start') test.mode = 'skip';
    // Otherwise the hooks of a later file would still start a service.
    if (name === 'run_describe_start') describeBlock.mode = 'skip';
  }
};
