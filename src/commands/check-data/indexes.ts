import type { AnyModel } from '../../database/any-model';
import { findDuplicates } from '../../database/duplicates';

/** Names the indexes of the schema that the database does not have. */
export async function missingIndexes(model: AnyModel): Promise<string[]> {
  const { toCreate } = await model.diffIndexes();
  return toCreate.map((keys) => `the index of ${Object.keys(keys as object).join(', ')} is missing`);
}

/** Names the values that several records have, whether or not there is a unique index that keeps them apart. */
export async function duplicates(model: AnyModel): Promise<string[]> {
  const problems: string[] = [];
  for (const [keys, { unique }] of model.schema.indexes()) {
    if (!unique) continue;
    const names = Object.keys(keys);
    const found = await findDuplicates(model.collection, names);
    // Others may have written while it read.
    const still = found.size > 0 ? await findDuplicates(model.collection, names) : found;
    for (const [value, ids] of found) {
      if (still.has(value)) problems.push(`${names.join(', ')} ${value}: the same in ${ids}`);
    }
  }
  return problems;
}
