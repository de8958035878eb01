import type { PipelineStage } from 'mongoose';
import type { AnyModel } from '../database/any-model';
import { Stored, valuesAt } from './finding';

/** How many records one read of the sorted ones returns. */
const BATCH = 1000;

/** The indexes of the schema that the database does not have. */
export async function missingIndexes(model: AnyModel): Promise<string[]> {
  const { toCreate } = await model.diffIndexes();
  return toCreate.map((keys) => `the index of ${Object.keys(keys as object).join(', ')} is missing`);
}

/** The records that have the same unique values, whether or not there is an index that keeps them apart. */
export async function* duplicates(model: AnyModel): AsyncGenerator<string> {
  for (const [keys, { unique }] of model.schema.indexes()) {
    if (unique) yield* duplicatesOf(model, Object.keys(keys));
  }
}

/** Reads the values in their order, so equal ones follow each other, and keeps only the last one. */
async function* duplicatesOf(model: AnyModel, names: string[]): AsyncGenerator<string> {
  let previous: Stored | undefined;
  const valuesOf = (record: Stored): unknown[] => names.flatMap((name) => valuesAt(record, name));
  for await (const record of model
    .aggregate<Stored>(inOrder(model, names))
    .allowDiskUse(true)
    .cursor({ batchSize: BATCH })) {
    const [values, others] = [valuesOf(record as Stored), previous && valuesOf(previous)];
    const isOther = previous && !(record as Stored)._id.equals(previous._id);
    if (
      isOther &&
      JSON.stringify(values) === JSON.stringify(others) &&
      (await haveAll(model, names, values, previous!, record as Stored))
    ) {
      yield `${names.join(', ')} ${JSON.stringify(values).slice(1, -1)}: ${String(previous!._id)} and ${String((record as Stored)._id)} have the same`;
    }
    previous = record as Stored;
  }
}

function inOrder(model: AnyModel, names: string[]): PipelineStage[] {
  const lists = new Set(
    names.map((name) => name.split('.')[0]!).filter((name) => model.schema.path(name)?.instance === 'Array'),
  );
  return [
    { $project: Object.fromEntries(names.map((name) => [name, 1])) },
    ...[...lists].map((list): PipelineStage => ({ $unwind: `$${list}` })),
    { $sort: Object.fromEntries(names.map((name) => [name, 1])) },
  ];
}

/** Whether two records have these values at this moment: others may write while this reads. */
async function haveAll(model: AnyModel, names: string[], values: unknown[], ...records: Stored[]): Promise<boolean> {
  const same = Object.fromEntries(names.map((name, index) => [name, values[index]]));
  return (await model.countDocuments({ ...same, _id: { $in: records.map(({ _id }) => _id) } })) === records.length;
}
