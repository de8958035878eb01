const { constants, createContext } = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/** Set by jest for its workers when it runs in a terminal. */
const { FORCE_COLOR } = process.env;

/**
 * jest's own environment, with two differences: programs that tests start print no colors (failures are still shown in
 * colors), and the global object is a plain one. In jest's, each use of a global calls into jest, which makes all code
 * slower.
 */
module.exports = class extends TestEnvironment {
  constructor(config, context) {
    delete process.env.FORCE_COLOR;
    super(config, context);
    this.usePlainGlobal(config);
    if (FORCE_COLOR) this.global.process.env.FORCE_COLOR = FORCE_COLOR;
  }

  usePlainGlobal({ projectConfig }) {
    const global = createContext(constants.DONT_CONTEXTIFY);
    for (const name of Reflect.ownKeys(this.global))
      if (!Object.hasOwn(global, name))
        Object.defineProperty(global, name, Reflect.getOwnPropertyDescriptor(this.global, name));
    // These would be others than those of Node's modules.
    const { Buffer, ArrayBuffer, Uint8Array } = globalThis;
    Object.assign(global, { global, Buffer, ArrayBuffer, Uint8Array });
    global.Error.stackTraceLimit = this.global.Error.stackTraceLimit;
    this.context = this.global = global;
    this.moduleMocker = new this.moduleMocker.constructor(global);
    this.fakeTimersModern = new this.fakeTimersModern.constructor({ config: projectConfig, global });
  }

  handleTestEvent({ name }) {
    // `expect` has been loaded and will use colors. What follows is the code of tests.
    if (name === 'setup') delete this.global.process.env.FORCE_COLOR;
  }
};
