import type { AnyModel } from '../../database/any-model';
import { findDuplicates } from '../../database/duplicates';

/** Names indexes of the schema that the database lacks, and values that must be unique and are not. */
export async function indexProblems(model: AnyModel): Promise<string[]> {
  const { toCreate } = await model.diffIndexes();
  const problems = toCreate.map((keys) => `the index of ${Object.keys(keys as object).join(', ')} is missing`);
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
