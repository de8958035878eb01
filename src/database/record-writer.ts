import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { Connection, Model, Types, UpdateQuery } from 'mongoose';
import type { AnyModel } from './any-model';
import { changedDerivedFields, changedFields, changesUniqueKey, shownFields } from './derived-fields';
import { insertOne, updateOne } from './driver-writes';
import { explainConflict } from './duplicate-key';
import { isSecantus } from './server';
import { Transactions } from './transactions';

interface Inserted {
  readonly _id: Types.ObjectId;
}

interface Revised extends Inserted {
  readonly revision: number;
}

/** An update of one record, with what must commit together with it. */
export interface RecordUpdate {
  /** The fields to set, as they are stored. What is derived from them, `revision` and `updatedAt` are added. */
  readonly set: object;
  /** Other changes, of internal fields: `{ $pull: … }`. */
  readonly change?: UpdateQuery<object>;
  /** Other writes that must commit with this one; run in its transaction, after it. */
  readonly alongside?: () => Promise<void>;
}

/** Inserts records; updates and deletes them at the revision that was read. */
@Injectable()
export class RecordWriter {
  private reinserting: Promise<boolean> | undefined;

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Inserts a new record, in a transaction if something else must commit with it.
   *
   * @param alongside returns false to roll back; it runs after the record is inserted
   * @returns undefined when it was rolled back, or when another record had one of the unique values and has it no longer
   * @throws ApiError the conflict, when another record has one of the unique values
   */
  async insert<R extends Inserted>(
    model: AnyModel,
    record: R,
    alongside?: () => Promise<boolean>,
  ): Promise<R | undefined> {
    const insert = async (): Promise<R | undefined> => {
      await insertOne(model, record);
      return !alongside || (await alongside()) ? record : undefined;
    };
    const inserted = alongside ? this.transactions.attempt(insert) : insert();
    return inserted.catch((error: unknown) => explainConflict(error, model, record));
  }

  /**
   * Replaces a record's fields with those of a body (contract §2).
   *
   * @returns the record after the update, or as it is when the body changes nothing; undefined when it no longer has this
   *   revision, or when another record had one of the unique values and has it no longer
   * @throws ApiError the conflict, when another record has one of the unique values
   */
  async replace<R extends Revised>(model: AnyModel, record: R, body: object): Promise<R | undefined> {
    const set = changedFields(model.schema, record, body);
    if (Object.keys(set).length === 0) return record;
    return this.update(model, record, { set }).catch((error: unknown) =>
      explainConflict(error, model, { ...record, ...set }),
    );
  }

  /**
   * Updates a record, in a transaction if something else must commit with it.
   *
   * @returns the record after the update; undefined when it no longer has this revision
   * @throws the database's error 11000 when another record has one of the unique values
   */
  async update<R extends Revised>(
    model: AnyModel,
    record: R,
    { set, change, alongside }: RecordUpdate,
  ): Promise<R | undefined> {
    const { _id, revision } = record;
    const $set = { updatedAt: new Date(), ...set, ...changedDerivedFields(model.schema, record, set) };
    const changesKey = changesUniqueKey(model.schema, record, $set);
    const reinserts = changesKey && (await this.reinserts());
    const update = async (): Promise<R | undefined> => {
      if (reinserts && !(await reinsert(model, { _id, revision }, $set))) return undefined;
      const isUpdated = await updateOne(model, { _id, revision }, { ...change, $set, $inc: { revision: 1 } });
      // At this revision, the record was as it was read, so nothing needs to be read again.
      return isUpdated ? { ...record, ...shownFields(model.schema, $set), revision: revision + 1 } : undefined;
    };
    // In a transaction, a key that another open transaction holds is a conflict; otherwise the write would wait for it.
    if (!changesKey && !alongside) return update();
    return this.transactions.attempt(async () => {
      const updated = await update();
      if (updated) await alongside?.();
      return updated;
    });
  }

  /**
   * Deletes a record, and in the same transaction what must go with it.
   *
   * @returns undefined when it no longer has this revision
   */
  async remove(model: AnyModel, record: Revised, alongside?: () => Promise<void>): Promise<true | undefined> {
    const { _id, revision } = record;
    const remove = async (): Promise<true | undefined> =>
      (await model.deleteOne({ _id, revision })).deletedCount === 1 || undefined;
    if (!alongside) return remove();
    return this.transactions.attempt(async () => {
      if (!(await remove())) return undefined;
      await alongside();
      return true;
    });
  }

  /** Asks the server once what it is. */
  private reinserts(): Promise<boolean> {
    this.reinserting ??= isSecantus(this.connection).catch((error: unknown) => {
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
async function reinsert(model: AnyModel, filter: Revised, changed: object): Promise<boolean> {
  const records = model as Model<Revised>;
  const record = await records.findOne(filter).schemaLevelProjections(false).lean();
  if (!record) return false;
  await records.deleteOne({ _id: filter._id });
  await insertOne(model, { ...record, ...changed });
  return true;
}
