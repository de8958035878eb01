const { TestEnvironment } = require('jest-environment-node');

/** Set by jest for its workers when it runs in a terminal. */
const { FORCE_COLOR } = process.env;

/** jest's own environment, where programs that tests start print no colors. Failures are still shown in colors. */
module.exports = class extends TestEnvironment {
  constructor(...args) {
    delete process.env.FORCE_COLOR;
    super(...args);
    if (FORCE_COLOR) this.global.process.env.FORCE_COLOR = FORCE_COLOR;
  }

  handleTestEvent({ name }) {
    // `expect` has been loaded and will use colors. What follows is the code of tests.
    if (name === 'setup') delete this.global.process.env.FORCE_COLOR;
  }
};
