import { join } from 'node:path';

/**
 * The tests of a mutation scope in one file (scripts/mutation.mjs). Loading Nest and mongoose takes longer than most
 * tests, and Stryker would do it for each file and each mutant.
 */
for (const file of (process.env.MUTATION_TESTS ?? '').split(',')) {
  // The file's name before the titles tells apart what two files call the same; Stryker chooses tests by their titles.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  describe(file, () => void require(join('../..', file)));
}
