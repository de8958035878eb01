import type { Connection, Model } from 'mongoose';
import type { AnyModel } from '../../platform/records/driver/any-model';
import { isDuplicateKey } from '../../platform/records/driver/database-errors';
import { findDuplicates } from '../../platform/records/start/duplicates';
import { Transactions } from '../../platform/records/transactions/transactions';
import { NOT_SUSPENDED, User } from '../../registry/users/user.schema';
import { Progress, Screen } from '../progress';
import { derivedCheck, slugCheck } from './derived';
import { Check, Problem, Stored } from './finding';
import { checksByModel } from './by-model';
import { referenceChecks } from './references';
import { valuesChecks } from './values';

/** Records in memory at once. */
const BATCH = 200;

/** Mode of the repair: do nothing, say what it would do (`--repair`), or do it (`--yes`). */
export type Repair = 'off' | 'dry' | 'on';

/** Where broken invariants and the progress are shown. */
export type Output = Readonly<Record<'report' | 'progress', Screen>>;

/** Writes a line for each broken invariant of what is stored. Returns how many are left: broken and not repaired. */
export async function checkData(connection: Connection, repair: Repair, output: Output): Promise<number> {
  const check = new DataCheck(connection, repair, output);
  for (const model of Object.values(connection.models)) await check.model(model);
  if (!(await connection.model(User.name).exists({ roles: 'admin', ...NOT_SUSPENDED })))
    check.broken('There is no Admin.');
  return check.left;
}

/** A record with an invariant that it breaks. */
type Finding = Problem & { readonly record: Stored };

class DataCheck {
  /** Broken invariants that are left. */
  left = 0;
  /** Values of the present Model that would be refused today. */
  private notes = 0;
  private readonly transactions: Transactions;

  constructor(
    private readonly connection: Connection,
    private readonly repair: Repair,
    private readonly output: Output,
  ) {
    this.transactions = new Transactions(connection);
  }

  async model(model: AnyModel): Promise<void> {
    const { schema, modelName } = model;
    const before = this.left;
    this.notes = 0;
    const progress = new Progress(this.output.progress, modelName, await model.estimatedDocumentCount());
    for (const problem of await indexProblems(model)) this.broken(`${modelName}: ${problem}`);
    const derived = [derivedCheck(schema), ...(schema.path('slugs') ? [slugCheck] : [])];
    const declared = [...referenceChecks(model), ...derived];
    const checks = [...declared, ...(checksByModel[modelName] ?? []), ...valuesChecks(modelName)];
    const check = async (batch: Stored[]): Promise<void> => {
      const suspects = new Set((await this.find(checks, batch)).map(({ record }) => record));
      for (const { _id } of suspects) await this.confirm(model, checks, _id);
      progress.advance(batch.length);
    };
    const records = stored(model, {}).lean<Stored[]>().cursor({ batchSize: BATCH });
    await records.eachAsync(check, { batchSize: BATCH });
    const notes = this.notes > 0 ? `, ${this.notes} values that would be refused today` : '';
    progress.end(`${progress.done} checked, ${this.left - before} broken invariants${notes}`);
  }

  broken(problem: string, isRepaired = false): void {
    if (!isRepaired) this.left += 1;
    this.output.report.write(`✖ ${problem}\n`);
  }

  private async find(checks: readonly Check[], records: readonly Stored[]): Promise<Finding[]> {
    const findings: Finding[] = [];
    // One after the other: a transaction does not allow parallel operations.
    for (const check of checks) {
      const find = await check(records, this.connection);
      for (const record of records) findings.push(...find(record).map((problem) => ({ ...problem, record })));
    }
    return findings;
  }

  /** Looks at a record again in one snapshot: others may have written between the reads. Repairs it in the same one. */
  private async confirm(model: AnyModel, checks: readonly Check[], _id: Stored['_id']): Promise<void> {
    const { modelName } = model;
    let outcome = this.repair === 'on' ? 'repaired' : 'would';
    const look = (write: boolean): Promise<Finding[]> =>
      this.transactions.run(async () => {
        const findings = await this.find(checks, await stored(model, { _id }).lean<Stored[]>());
        for (const { repair } of write ? findings : []) if (repair) await model.updateOne({ _id }, repair.update);
        return findings;
      });
    const findings = await look(this.repair === 'on').catch((error: unknown) => {
      if (!isDuplicateKey((error as Error).cause)) throw error;
      outcome = 'a duplicate key prevents';
      return look(false);
    });
    for (const { problem, repair, isNote } of findings) {
      const line = `${modelName} ${String(_id)}: ${problem}`;
      if (isNote) {
        this.notes += 1;
        this.output.report.write(`· ${line}\n`);
        continue;
      }
      if (!repair || this.repair === 'off') this.broken(line);
      else this.broken(`${line}\n  ${outcome}: ${repair.what}`, outcome === 'repaired');
    }
  }
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
