import type { Connection, Model } from 'mongoose';
import type { AnyModel } from '../../database/any-model';
import { isDuplicateKey } from '../../database/database-errors';
import { Transactions } from '../../database/transactions';
import { User } from '../../users/user.schema';
import { clearLine, Progress, Screen } from '../progress';
import { derivedCheck, slugCheck } from './derived';
import { Check, Finding, Stored } from './finding';
import { indexProblems } from './indexes';
import { checksByModel } from './ownership';
import { referenceCheck } from './references';

/** Records in memory at once. */
const BATCH = 200;

/** Mode of the repair: do nothing, say what it would do (`--repair`), or do it (`--yes`). */
export type Repair = 'off' | 'dry' | 'on';

/** Outputs of the check. */
export interface Output {
  /** The broken invariants. */
  readonly report: Screen;
  readonly progress: Screen;
}

/**
 * Checks every invariant of what is stored, while the service may be running, and writes a line for each that is broken.
 *
 * @param connection has the Models to check
 * @returns the number of invariants that are broken and have not been repaired
 */
export async function checkData(connection: Connection, repair: Repair, output: Output): Promise<number> {
  const check = new DataCheck(connection, repair, output);
  for (const model of Object.values(connection.models)) await check.model(model);
  if (!(await connection.model(User.name).exists({ roles: 'admin' }))) check.broken('There is no Admin.');
  return check.left;
}

class DataCheck {
  /** Number of broken invariants that are left. */
  left = 0;
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
    const progress = new Progress(this.output.progress, modelName, await model.estimatedDocumentCount());
    for (const problem of await indexProblems(model)) this.broken(`${modelName}: ${problem}`);
    const declared = [referenceCheck(schema), derivedCheck(schema), slugCheck(schema)];
    const checks = [...declared, ...(checksByModel[modelName] ?? [])];
    const check = async (batch: Stored[]): Promise<void> => {
      const suspects = new Set((await this.find(checks, batch)).map(({ record }) => record));
      for (const { _id } of suspects) await this.confirm(model, checks, _id);
      progress.advance(batch.length);
    };
    const records = stored(model, {}).lean<Stored[]>().cursor({ batchSize: BATCH });
    await records.eachAsync(check, { batchSize: BATCH });
    progress.end(`${progress.done} checked, ${this.left - before} broken invariants`);
  }

  /** @param done what a repair has changed */
  broken(problem: string, done = ''): void {
    if (!done) this.left += 1;
    clearLine(this.output.progress);
    this.output.report.write(`✖ ${problem}${done}\n`);
  }

  private async find(checks: readonly Check[], records: readonly Stored[]): Promise<Finding[]> {
    const findings: Finding[] = [];
    for (const check of checks) findings.push(...(await check(records, this.connection)));
    return findings;
  }

  /** Looks at a record again in one snapshot: others may have written between the reads. Repairs it in the same one. */
  private async confirm(model: AnyModel, checks: readonly Check[], _id: Stored['_id']): Promise<void> {
    const isRepairing = this.repair === 'on';
    const attempt = (write: boolean): Promise<Finding[]> =>
      this.transactions.run(async () => {
        const records = await stored(model, { _id }).lean<Stored[]>();
        const findings = await this.find(checks, records);
        for (const { repair } of write ? findings : []) if (repair) await model.updateOne({ _id }, repair.update);
        return findings;
      });
    let isRepaired = isRepairing;
    const findings = await attempt(isRepairing).catch((error: unknown) => {
      if (!isDuplicateKey((error as Error).cause)) throw error;
      isRepaired = false;
      return attempt(false);
    });
    for (const { problem, repair } of findings) {
      const line = `${model.modelName} ${String(_id)}: ${problem}`;
      if (!repair || this.repair === 'off') this.broken(line);
      else if (isRepaired) this.broken(line, `\n  repaired: ${repair.what}`);
      else this.broken(`${line}\n  ${isRepairing ? 'a duplicate key prevents' : 'would'}: ${repair.what}`);
    }
  }
}

/** The records without their bytes. */
function stored(model: AnyModel, filter: object): ReturnType<Model<object>['find']> {
  const bytes = Object.keys(model.schema.paths).filter((name) => model.schema.path(name)?.instance === 'Buffer');
  const fields = Object.fromEntries(bytes.map((name) => [name, 0]));
  return (model as Model<object>).find(filter, fields).schemaLevelProjections(false);
}
