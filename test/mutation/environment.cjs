const { MongoClient } = require('mongodb');
const TestEnvironment = require('../support/environment.cjs');

/**
 * The environment of a mutation run: one failed test kills the mutant, so the tests after it are passed over. jest's own
 * `bail` does so between files only.
 */
module.exports = class MutationEnvironment extends TestEnvironment {
  hasFailed = false;

  async setup() {
    await super.setup();
    this.global.chosenTests = undefined;
    await endTransactions();
  }

  async handleTestEvent(event, state) {
    super.handleTestEvent(event);
    const { name, test, describeBlock } = event;
    if (name === 'setup' && event.testNamePattern) this.choose(event.testNamePattern, state);
    // Not at the failure itself: where beforeAll fails, it is the first test that tells of it.
    if (name === 'test_done' && test.errors.length > 0) {
      this.hasFailed = true;
      await endTransactions();
    }
    if (!this.hasFailed) return;
    if (name === 'test_start') test.mode = 'skip';
    // Otherwise the hooks of a later file would still start a service.
    if (name === 'run_describe_start') describeBlock.mode = 'skip';
  }

  /**
   * Stryker chooses the tests that ran the mutant's code. In the tests of one file, what is remembered runs only in the
   * first of them, so all tests of these files run, except where each takes longer.
   */
  choose(pattern, state) {
    const chosen = pattern.replaceAll('\\', '');
    const files = [...new Set(chosen.match(/(?<=\()[^ ]+\.spec\.ts /g))].map((file) => `^${RegExp.escape(file)}`);
    state.testNamePattern = new RegExp([pattern, ...files].join('|'), 'i');
    this.global.chosenTests = chosen;
  }
};

/** A mutant can leave a transaction open, which would block the hooks that come after the test, and the next mutants. */
async function endTransactions() {
  // Not by a connection of the tests: most of them need none.
  const client = await MongoClient.connect(process.env.TEST_MONGODB_URIS);
  await client.db('admin').command({ killAllSessions: [] });
  await client.close();
}
