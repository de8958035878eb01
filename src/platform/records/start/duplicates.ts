import type { Collection, IndexOptions, PipelineStage } from 'mongoose';

/** Most records that are named with each value. */
const MAX_NAMED = 10;

/**
 * Finds the values that break a unique index, in their order, and the ids of their records, all as texts. It reads the
 * whole collection.
 */
export async function findDuplicates(
  collection: Collection,
  keys: readonly string[],
  { partialFilterExpression: $match = {} }: IndexOptions,
): Promise<Map<string, string>> {
  const stages = [{ $match }, ...duplicates(keys)];
  const found = collection.aggregate<{ _id: unknown[]; ids: unknown[]; count: number }>(stages, { allowDiskUse: true });
  const named = (await found.toArray()).map(({ _id: value, ids, count }): [string, string] => {
    const more = count > ids.length ? ` and ${count - ids.length} more` : '';
    return [value.map((part) => JSON.stringify(part)).join(', '), `${ids.map(String).sort().join(', ')}${more}`];
  });
  return new Map(named);
}

/** An index of a list has an entry per item; a record may have an item twice, and a missing field counts as null. */
function duplicates(keys: readonly string[]): PipelineStage[] {
  const lists = new Set(
    keys.flatMap((key) => key.split('.').map((_, index, parts) => parts.slice(0, index + 1).join('.'))),
  );
  return [
    // The embedded database would keep the whole records in memory.
    { $project: Object.fromEntries(keys.map((key) => [key, 1])) },
    ...[...lists].map((path) => ({ $unwind: { path: `$${path}`, preserveNullAndEmptyArrays: true } })),
    { $group: { _id: { value: keys.map((key) => `$${key}`), id: '$_id' } } },
    {
      $group: {
        _id: '$_id.value',
        count: { $sum: 1 },
        ids: { $minN: { input: '$_id.id', n: MAX_NAMED } },
      },
    },
    { $match: { count: { $gt: 1 } } },
    { $sort: { _id: 1 } },
  ] as PipelineStage[];
}
