import type { Model } from 'mongoose';
import type { Database } from '../../platform/records/database';
import type { AnyModel } from '../../platform/records/driver/any-model';
import { findDuplicates } from '../../platform/records/start/duplicates';
import { Transactions } from '../../platform/records/transactions/transactions';
import { NOT_SUSPENDED, User } from '../../registry/users/user.schema';
import { Progress, Screen } from '../progress';
import { derivedCheck, slugCheck } from './derived';
import type { Stored } from './finding';
import { checksByModel } from './by-model';
import { referenceChecks } from './references';

/** Records in memory at the same time. */
const BATCH = 200;

/** Where broken invariants and the progress are shown. */
export type Output = Readonly<Record<'report' | 'progress', Screen>>;

/** Writes a line for each broken invariant of what is stored. Returns how many there are. */
export async function checkData(database: Database, output: Output): Promise<number> {
  const { connection } = database;
  let count = 0;
  const report = (problem: string): void => {
    count += 1;
    output.report.write(`✖ ${problem}\n`);
  };
  const transactions = new Transactions(database);
  for (const model of Object.values(connection.models)) {
    const before = count;
    const progress = new Progress(output.progress, model.modelName, await model.estimatedDocumentCount());
    for (const problem of await indexProblems(model)) report(`${model.modelName}: ${problem}`);
    await checkRecords(transactions, model, report, progress);
    progress.end(`${progress.done} checked, ${count - before} broken invariants`);
  }
  if (!(await connection.model(User.name).exists({ roles: 'admin', ...NOT_SUSPENDED }))) report('There is no Admin.');
  return count;
}

async function checkRecords(
  transactions: Transactions,
  model: AnyModel,
  report: (problem: string) => void,
  progress: Progress,
): Promise<void> {
  const { schema, modelName } = model;
  const slugChecks = schema.path('slugs') ? [slugCheck] : [];
  const checks = [...referenceChecks(model), derivedCheck(schema), ...slugChecks, ...(checksByModel[modelName] ?? [])];
  const find = async (records: readonly Stored[]): Promise<[Stored, string][]> => {
    const found: [Stored, string][] = [];
    // One after the other: a transaction does not allow parallel operations.
    for (const check of checks) {
      const problemsOf = await check(records, model.db);
      for (const record of records) for (const problem of problemsOf(record)) found.push([record, problem]);
    }
    return found;
  };
  const check = async (batch: Stored[]): Promise<void> => {
    // In a transaction once more: what was read one after the other may have changed meanwhile.
    for (const { _id } of new Set((await find(batch)).map(([record]) => record))) {
      const again = async () => find(await stored(model, { _id }).lean<Stored[]>());
      for (const [, problem] of await transactions.run(again)) report(`${modelName} ${String(_id)}: ${problem}`);
    }
    progress.advance(batch.length);
  };
  await stored(model, {}).lean<Stored[]>().cursor({ batchSize: BATCH }).eachAsync(check, { batchSize: BATCH });
}

/** The records without their bytes. */
function stored(model: AnyModel, filter: object): ReturnType<Model<object>['find']> {
  const bytes = Object.keys(model.schema.paths).filter((name) => model.schema.path(name)?.instance === 'Buffer');
  const fields = Object.fromEntries(bytes.map((name) => [name, 0]));
  return (model as Model<object>).find(filter, fields).schemaLevelProjections(false);
}

/** Names indexes of the schema that the database lacks, and values that must be unique and are not. */
async function indexProblems(model: AnyModel): Promise<string[]> {
  const { toCreate } = await model.diffIndexes();
  const problems = toCreate.map((keys) => `the index of ${Object.keys(keys as object).join(', ')} is missing`);
  for (const [keys, options] of model.schema.indexes()) {
    if (!options.unique) continue;
    const names = Object.keys(keys);
    const find = () => findDuplicates(model.collection, names, options);
    const found = await find();
    // Others may have written while it read.
    const still = found.size > 0 ? await find() : found;
    for (const [value, ids] of found) {
      if (still.has(value)) problems.push(`${names.join(', ')} ${value}: the same in ${ids}`);
    }
  }
  return problems;
}
