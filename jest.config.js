const { availableParallelism } = require('node:os');
const { join } = require('node:path');
const { SourceTextModule } = require('node:vm');
const { engines } = require('./package.json');

const [least] = /[\d.]+/.exec(engines.node);
if (process.versions.node.localeCompare(least, undefined, { numeric: true }) < 0) {
  const needed = `The tests need Node.js ${engines.node}, and this is ${process.versions.node}.`;
  process.stderr.write(
    `${needed} Run them with "npm test", which uses the right one: npm test -- test/registry/users\n`,
  );
  process.exit(1);
}

// Otherwise @swc/core keeps its binary in the home folder.
process.env.SWC_NATIVE_BINDING_CACHE ??= join(__dirname, '.cache', 'swc');

/** Nest 12 is pure ESM. jest loads it uncompiled, with Node.js 24.9 and `--experimental-vm-modules` (docs/testing.md). */
const loadsModules = Boolean(SourceTextModule?.prototype.linkRequests);

module.exports = {
  rootDir: __dirname,
  testEnvironment: '<rootDir>/test/support/environment.cjs',
  // `npm test`; the other kinds of tests (`*.slow-spec.ts`) are chosen by scripts/test.mjs.
  testRegex: '\\.(spec|e2e-spec)\\.ts$',
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/.cache/', '<rootDir>/dist/'],
  transform: {
    // Of packages, source maps in files of their own: code without them loads faster.
    '/node_modules/.+js$': ['@swc/jest', { jsc: { target: 'es2023' }, module: { type: 'commonjs' }, sourceMaps: true }],
    '^.+\\.(t|j|mj)s$': '@swc/jest',
  },
  transformIgnorePatterns: loadsModules ? ['/node_modules/'] : [],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  cacheDirectory: '<rootDir>/.cache/jest',
  // It only ends what hangs: ten times what the slowest test takes. Tests set none of their own.
  testTimeout: 300_000,
  // By default jest leaves one processor free. The tests often wait for the database, so two workers fit on two. Each has
  // a database, which takes memory.
  maxWorkers: Math.min(Math.max(2, availableParallelism() - 1), 8),
};
