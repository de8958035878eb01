/** The tests of `npm run test:browser`: they need Chromium. */
module.exports = {
  ...require('./jest.config.js'),
  testRegex: 'test/browser/.*\\.e2e-spec\\.ts$',
  testPathIgnorePatterns: ['/node_modules/'],
};
