import type { Connection } from 'mongoose';
import type { AnyModel } from './any-model';

/**
 * A change of what is stored. It runs after the service is ready, and instances of the previous minor version may write
 * before, while and after it runs. So this version must read records with and without the change, and the previous one
 * must be able to read the changed ones (docs/adr/0020).
 */
export interface Step {
  /** The version of the data when the step is done: higher than that of the step before it. */
  readonly version: number;
  /** Completes "will …": what the step does. */
  readonly title: string;
  /** The oldest version that can read the changed data: that of the previous minor version, or older. */
  readonly readableFrom: number;
  /**
   * Changes all records. It may be killed and run again, also on records that it has changed, and twice at the same
   * time.
   * @param connection has the Models, and no time limit for sockets
   */
  run(connection: Connection): Promise<void>;
}

/** All steps, in their order. A step that was released never changes. Step 1 wrote what step 2 removes. */
export const STEPS: readonly Step[] = [
  { version: 2, title: 'remove the parts of texts that searches looked up', readableFrom: 0, run: dropSearchGrams },
];

/**
 * Removes the index of three-character parts that `q` once used, with its field: with up to 1,200 entries for each
 * record, an Organization with many APIs could not be deleted in one transaction.
 */
async function dropSearchGrams({ models }: Connection): Promise<void> {
  for (const { collection } of Object.values<AnyModel>(models)) {
    const indexes = await collection.indexes();
    if (indexes.some(({ name }) => name === 'searchGrams_1')) await collection.dropIndex('searchGrams_1');
    await collection.updateMany({ searchGrams: { $exists: true } }, { $unset: { searchGrams: 1 } });
  }
}
