import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { databaseUri } from '../support/database';

/**
 * The tests of a mutation scope in one file (scripts/mutation.mjs). Loading Nest and mongoose takes longer than most
 * tests, and Stryker would do it for each file and each mutant.
 */
const files = (process.env.MUTATION_TESTS ?? '')
  .split(',')
  .map((file) => [file, join(__dirname, '../..', file)] as const);

/** A mutant can leave a transaction open, which would block the tests of the next ones. */
beforeAll(async () => {
  // Loaded only now, as some tests mock modules.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { createConnection } = require('mongoose') as typeof import('mongoose');
  const connection = await createConnection(databaseUri('mutation')).asPromise();
  await connection.db!.admin().command({ killAllSessions: [] });
  await connection.close();
});

/** A module can be mocked only before anything has loaded it, so files that do so come first. */
const mocks = (path: string): boolean => readFileSync(path, 'utf8').includes('jest.mock(');

for (const [file, path] of files.sort(([, one], [, other]) => Number(mocks(other)) - Number(mocks(one)))) {
  // The file's name before the titles tells apart what two files call the same; Stryker chooses tests by their titles.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  describe(file, () => void require(path));
}
