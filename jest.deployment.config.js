/** The tests of `npm run test:deployment`: they need Debian packages and minutes. */
module.exports = {
  ...require('./jest.config.js'),
  testRegex: 'test/deployment/.*\\.spec\\.ts$',
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
