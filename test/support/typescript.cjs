/**
 * Lets a process of its own run the sources: `node --require ./test/support/typescript.cjs src/….ts`. Compiled on the
 * way, since `dist` may be missing or stale.
 */
const { transformFileSync } = require('@swc/core');

require.extensions['.ts'] = (module, file) => module._compile(transformFileSync(file).code, file);
