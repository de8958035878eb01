import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The titles of the tests that Stryker chose for a mutant: `(…)|(…)`; none where it runs all. See environment.cjs. */
declare const chosenTests: string | undefined;

/**
 * The tests of a mutation scope in one file (scripts/mutation.mjs). Loading Nest and mongoose takes longer than most
 * tests, and Stryker would do it for each file and each mutant.
 */
const files = (process.env.MUTATION_TESTS ?? '')
  .split(',')
  // Loading the others would take longer than running these.
  .filter((file) => chosenTests?.includes(`(${file} `) ?? true)
  .map((file) => [file, join(__dirname, '../..', file)] as const);

/** A module can be mocked only before anything has loaded it, so files that do so come first. */
const mocks = (path: string): boolean => readFileSync(path, 'utf8').includes('jest.mock(');

for (const [file, path] of files.sort(([, one], [, other]) => Number(mocks(other)) - Number(mocks(one)))) {
  // The file's name before the titles tells apart what two files call the same; Stryker chooses tests by their titles.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  describe(file, () => void require(path));
}
