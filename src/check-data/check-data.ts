import { Connection, createConnection, Model } from 'mongoose';
import type { AnyModel } from '../database/any-model';
import { connect } from '../database/connect';
import { connectionOptions } from '../database/connection-options';
import { isDuplicateKey } from '../database/database-errors';
import { Transactions } from '../database/transactions';
import { Progress, Screen } from '../progress';
import { User } from '../users/user.schema';
import { derivedCheck, slugCheck } from './derived';
import { Check, Finding, Stored } from './finding';
import { duplicates, missingIndexes } from './indexes';
import { checksByModel } from './ownership';
import { referenceCheck } from './references';

/** How many records are in memory at once. */
const BATCH = 200;

/** What `--repair` does: nothing, say what it would do, or do it (`--yes`). */
export type Repair = 'off' | 'dry' | 'on';

/** Where the command writes. */
export interface Output {
  /** The broken invariants. */
  readonly report: Screen;
  readonly progress: Screen;
}

/**
 * Checks every invariant of what is stored, while the service may be running, and writes a line for each that is broken.
 *
 * @param models with the schemas to check against
 * @returns how many invariants are broken, and have not been repaired
 * @throws StartError when the database cannot be reached
 */
export async function checkData(
  uri: string,
  models: readonly AnyModel[],
  repair: Repair,
  output: Output,
): Promise<number> {
  // Without an index, sorting may take longer than an operation of a request.
  const connection = createConnection(uri, { ...connectionOptions, socketTimeoutMS: 0 });
  for (const { modelName, schema } of models) connection.model(modelName, schema);
  try {
    await connect(connection);
    const check = new DataCheck(connection, repair, output);
    for (const { modelName } of models) await check.model(connection.model<object>(modelName));
    if (!(await connection.model(User.name).exists({ roles: 'admin' }))) check.broken('There is no Admin.');
    return check.left;
  } finally {
    await connection.close();
  }
}

class DataCheck {
  /** How many broken invariants are left. */
  left = 0;
  private readonly transactions: Transactions;
  private current: Progress | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly repair: Repair,
    private readonly output: Output,
  ) {
    this.transactions = new Transactions(connection);
  }

  async model(model: AnyModel): Promise<void> {
    const total = await model.estimatedDocumentCount();
    const before = this.left;
    const progress = (this.current = new Progress(this.output.progress, model.modelName, total));
    for (const problem of await missingIndexes(model)) this.broken(`${model.modelName}: ${problem}`);
    for await (const problem of duplicates(model)) this.broken(`${model.modelName}: ${problem}`);
    const checked = await this.records(model, progress);
    progress.end(`${checked} checked, ${this.left - before} broken invariants`);
  }

  /** @param done what a repair has changed */
  broken(problem: string, done = ''): void {
    if (!done) this.left += 1;
    this.current?.clear();
    this.output.report.write(`✖ ${problem}${done}\n`);
  }

  private async records(model: AnyModel, progress: Progress): Promise<number> {
    const { schema, modelName } = model;
    const checks = [
      referenceCheck(schema),
      derivedCheck(schema),
      slugCheck(schema),
      ...(checksByModel[modelName] ?? []),
    ];
    let checked = 0;
    for await (const batch of batches(model)) {
      const suspects = new Set((await this.find(checks, batch)).map(({ record }) => record));
      for (const { _id } of suspects) await this.confirm(model, checks, _id);
      checked += batch.length;
      progress.advance(batch.length);
    }
    return checked;
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
      if (!isDuplicateKey(error)) throw error;
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

async function* batches(model: AnyModel): AsyncGenerator<Stored[]> {
  let batch: Stored[] = [];
  for await (const record of stored(model, {}).lean<Stored[]>().cursor({ batchSize: BATCH })) {
    batch.push(record);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
