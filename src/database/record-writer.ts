import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { Connection, Model, Types, UpdateQuery } from 'mongoose';
import type { AnyModel } from './any-model';
import { Transactions } from './transactions';

interface Revised {
  readonly _id: Types.ObjectId;
  readonly revision: number;
}

/** An update of one record, with what must commit together with it. */
export interface RecordUpdate {
  /** The change; `revision` is raised in any case. */
  readonly change: UpdateQuery<object>;
  /** Whether a field with a unique index gets another value. */
  readonly changesUnique?: boolean;
  /** Other writes that must commit with this one; run in its transaction, after it. */
  readonly alongside?: () => Promise<void>;
}

/** Updates records at the revision that was read. */
@Injectable()
export class RecordWriter {
  private reinserting: Promise<boolean> | undefined;

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Updates a record, in a transaction if something else must commit with it.
   *
   * @returns the record after the update; undefined when it no longer has this revision
   * @throws the database's error 11000 when another record has one of the unique values
   */
  async update<R extends Revised>(
    model: AnyModel,
    { _id, revision }: R,
    { change, changesUnique = false, alongside }: RecordUpdate,
  ): Promise<R | undefined> {
    const records = model as Model<Revised>;
    const reinserts = changesUnique && (await this.reinserts());
    const update = async (): Promise<R | undefined> => {
      if (reinserts && !(await reinsert(records, { _id, revision }, change.$set ?? {}))) return undefined;
      const raised = { ...change, $inc: { revision: 1 } };
      const updated = await records.findOneAndUpdate({ _id, revision }, raised, { returnDocument: 'after' }).lean();
      return (updated as R | null) ?? undefined;
    };
    if (!reinserts && !alongside) return update();
    return this.transactions.attempt(async () => {
      const updated = await update();
      if (updated) await alongside?.();
      return updated;
    });
  }

  /** Asks the server once what it is. */
  private reinserts(): Promise<boolean> {
    this.reinserting ??= this.connection
      .db!.command({ buildInfo: 1 })
      .then((info) => 'secantusVersion' in info)
      .catch((error: unknown) => {
        this.reinserting = undefined;
        throw error;
      });
    return this.reinserting;
  }
}

/**
 * Deletes a record and inserts it with its new unique values, for SecantusDB: its unique indexes keep the value that a
 * record was inserted with, so an old name would stay taken (docs/adr/0011). Not used on MongoDB.
 */
async function reinsert(records: Model<Revised>, filter: Revised, changed: object): Promise<boolean> {
  const record = await records.findOne(filter).schemaLevelProjections(false).lean();
  if (!record) return false;
  await records.deleteOne({ _id: filter._id });
  await records.create([{ ...record, ...changed }]);
  return true;
}
