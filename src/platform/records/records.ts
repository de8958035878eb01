import { Inject } from '@nestjs/common';
import { type mongo, Types, type UpdateQuery } from 'mongoose';
import type { SchemaOf } from './driver/any-model';
import { unwrapped } from './driver/database-errors';
import { changedFields, derivedFields, newRecord } from './schema/derived-fields';
import { assertBelow, optionsOf } from './schema/field-options';
import { addNamed, addOwn, type ReferenceChecks } from './writes/add-references';
import { deleteReferences } from './writes/delete-references';
import { shownFields } from './schema/projections';
import { RecordReads } from './record-reads';
import type { Embedded, Filter, ListChange, RecordAtRevision } from './schema/record.schema';
import { slugsFor } from './writes/allocate-slug';
import { currentTransaction } from './transactions/context';
import type { Transaction } from './transactions/transaction';
import { setsUniqueField } from './schema/unique-keys';
import { assertUnique } from './writes/assert-unique';
import { LostRace, throwLost } from './transactions/lost-race';

/** The token of the `Records` of a Model. */
export const recordsToken = (model: string): string => `${model}Records`;

/** Injects the records of a Model: `@InjectRecords(User.name) private readonly users: Records<UserRecord>`. */
export const InjectRecords = (model: string): ParameterDecorator => Inject(recordsToken(model));

/**
 * The records of one Model: the one way to read and write them (docs/adr/0022). Writes take part in the transaction
 * that they run in; outside, they are refused but for `updateInternal` and `removeAll`. `insert`, `update`, `embed`,
 * `removeEmbedded`, `remove`, `removeWithEvents` and `updateAll` leave Events.
 * @typeParam R the type of a record that is read
 */
export class Records<R extends RecordAtRevision> extends RecordReads<R> {
  readonly removalRules: ((record: never) => Promise<void>)[] = [];

  /**
   * Adds a rule about deletions. It is asked before what refers to the record changes; what it throws refuses them.
   */
  beforeRemoval(rule: (record: R) => Promise<void>): void {
    this.removalRules.push(rule);
  }

  /**
   * The fields of a body that differ, as they are stored. References that are new are made safe (docs/adr/0002).
   * @param checks of the service, for references with rules of their own
   * @throws InvalidContentError namesNothing; ApiError tooMany, when the limit of a reference is reached
   */
  async changes(record: R, body: object, checks?: ReferenceChecks): Promise<Partial<R>> {
    const changes = changedFields(this.schema, record, body);
    await addNamed(this.added({ ...record, ...changes }, record), changes, checks);
    return changes;
  }

  /** @throws ApiError the conflict, when another record has one of the unique values */
  assertUnique(fields: object & { _id?: Types.ObjectId }): Promise<void> {
    return assertUnique(this.model, fields);
  }

  /**
   * Inserts a record with the defaults of the schema, what is derived from its fields, and its slug if it has one.
   * @param body ids and dates may be text. An id that names nothing is a field error
   * @param own what the service sets: a reference to a deleted record means 401 or 404
   * @param checks of the service, for references of the body with rules of their own
   * @throws InvalidContentError namesNothing; ApiError tooMany, when the limit of a reference is reached, or the conflict,
   *   when another record has one of the unique values; LostRace
   */
  async insert(body: object, own: object = {}, checks?: ReferenceChecks): Promise<R> {
    const transaction = this.transaction();
    const { write, changes } = transaction;
    const fields = { _id: new Types.ObjectId(), ...body, ...own };
    const added = this.added(fields);
    await addNamed(added, body, checks);
    await addOwn(added, own);
    const slugs = await slugsFor(this.model, fields);
    const times = { createdAt: transaction.timeAfter(), updatedAt: transaction.timeAfter() };
    const record: R = newRecord<R>(this.schema as SchemaOf<R>, { ...times, ...fields, ...slugs });
    if (write.losses > 0) await assertUnique(this.model, record);
    await this.model.collection
      .insertOne(record, { session: transaction.session })
      .catch((error: unknown) => throwLost(error, undefined));
    changes.add(this.model, undefined, record);
    return record;
  }

  /** Inserts Events; they leave no changes of their own. */
  async insertAll(all: readonly object[]): Promise<void> {
    const { session } = this.transaction();
    const records = all.map((fields) => newRecord<R>(this.schema as SchemaOf<R>, fields));
    const { collection } = this.model;
    const [first] = records;
    // For one record, a bulk write takes more CPU time (docs/adr/0026).
    const inserting =
      records.length === 1 ? collection.insertOne(first!, { session }) : collection.insertMany(records, { session });
    await inserting.catch((error: unknown) => {
      throw unwrapped(error);
    });
  }

  /**
   * Updates a record at the revision at which it was read. Raises `revision` and `updatedAt`.
   * @param set the fields to change, as they are stored; what is derived from them is added
   * @param change of a list: `{ $pull: … }`
   * @returns the record after the update; the same one when nothing is to be changed
   * @throws ApiError the conflict, when another record has one of the unique values; LostRace when it has changed since
   */
  async update(record: R, set: object, change?: ListChange): Promise<R> {
    let updated = record;
    if (change || Object.keys(set).length > 0) {
      const transaction = this.transaction();
      await addOwn(this.added({ ...record, ...set }, record), set);
      const slugs = await slugsFor(this.model, set, record._id);
      const updatedAt = transaction.timeAfter(record.updatedAt);
      const $set = { updatedAt, ...set, ...derivedFields(this.schema, record, set), ...slugs };
      await this.updateAtRevision(record, { ...change, $set, $inc: { revision: 1 } });
      transaction.changes.add(this.model, record, { ...record, ...$set });
      // At this revision, the record was as it was read, so nothing needs to be read again.
      updated = { ...record, ...shownFields(this.schema, $set), revision: record.revision + 1 };
    }
    return updated;
  }

  /**
   * Adds a record to a list of embedded ones (`embeds` in the schema). The owner's revision rises if the list is shown.
   * @returns the owner with the embedded record
   * @throws ApiError tooMany, when the list or a reference has reached its limit; LostRace when the owner was changed or deleted since it was read
   */
  async embed(owner: R, list: keyof R & string, embedded: Embedded): Promise<R> {
    this.transaction();
    const before = (owner[list] ?? []) as Embedded[];
    const { limit } = optionsOf(this.schema.path(list));
    if (limit) assertBelow(limit, before.length);
    await addOwn(this.added(owner), { [list]: [embedded] });
    const after = [...before, embedded];
    return this.updateList(owner, list, { $push: { [list]: embedded } }, after);
  }

  /** Removes a record from a list of embedded ones, as `embed` adds one. */
  removeEmbedded(owner: R, list: keyof R & string, embedded: Embedded): Promise<R> {
    const after = (owner[list] as Embedded[]).filter(({ _id }) => !_id.equals(embedded._id));
    return this.updateList(owner, list, { $pull: { [list]: { _id: embedded._id } } }, after);
  }

  /** Updates all records that a filter matches, at any revision, and raises it and `updatedAt`. */
  async updateAll(filter: object, change: ListChange & { $set?: object }): Promise<void> {
    const transaction = this.transaction();
    const { session, changes } = transaction;
    const before = new Map((await this.find(filter)).map((record) => [String(record._id), record]));
    if (before.size === 0) return;
    const these = { _id: { $in: [...before.values()].map(({ _id }) => _id) } };
    let updatedAt = transaction.timeAfter();
    for (const record of before.values()) updatedAt = transaction.timeAfter(record.updatedAt);
    const update = { ...change, $inc: { revision: 1 }, $set: { ...change.$set, updatedAt } };
    await this.model.collection.updateMany(these, update, { session });
    for (const after of await this.find(these)) changes.add(this.model, before.get(String(after._id)), after);
  }

  /**
   * Updates fields of the record that a filter matches, without a new revision and without Events: internal ones, which
   * no response shows, and the Organization of a File.
   * @param change ids and dates as they are stored
   * @returns whether there is such a record
   */
  async updateInternal(filter: Filter, change: UpdateQuery<object>, options?: mongo.UpdateOptions): Promise<boolean> {
    const all = { ...options, session: currentTransaction()?.session };
    const { matchedCount } = await this.model.collection
      .updateOne(this.cast(filter), change as object, all)
      .catch((error: unknown) => throwLost(error, filter._id));
    return matchedCount === 1;
  }

  /**
   * Deletes a record at the revision at which it was read, and does what the references to it say (`onDelete`), through
   * all levels.
   * @throws LostRace when it has changed since; ApiError when a rule refuses
   */
  async remove(record: R): Promise<void> {
    const { session, changes } = this.transaction();
    const { _id, revision } = record;
    const { deletedCount } = await this.model.collection
      .deleteOne({ _id, revision }, { session })
      .catch((error: unknown) => throwLost(error, _id));
    if (deletedCount === 0) throw new LostRace(undefined, String(_id));
    changes.add(this.model, record, undefined);
    await deleteReferences(this.all, this.model, record);
  }

  /** Deletes all records that a filter matches, without Events and without looking for what refers to them. @returns how many */
  async removeAll(filter: object): Promise<number> {
    const options = { session: currentTransaction()?.session };
    return (await this.model.collection.deleteMany(this.cast(filter), options)).deletedCount;
  }

  /** Deletes all records that a filter matches, with an Event for each, without looking for what refers to them. */
  async removeWithEvents(filter: object): Promise<readonly R[]> {
    const { session, changes } = this.transaction();
    const records = await this.find(filter);
    // By the filter, not by their ids: an index serves it.
    if (records.length > 0) await this.model.collection.deleteMany(this.cast(filter), { session });
    for (const record of records) changes.add(this.model, record, undefined);
    return records;
  }

  private async updateAtRevision(record: R, update: { readonly $set: object; readonly $inc: object }): Promise<void> {
    const { session, write } = this.transaction();
    const { _id, revision } = record;
    const lose = (error: unknown): never => throwLost(error, _id);
    if (setsUniqueField(this.schema, update.$set)) {
      if (write.losses > 0) await assertUnique(this.model, { ...record, ...update.$set });
      const { beforeUniqueUpdate } = await this.all.database.quirks();
      await beforeUniqueUpdate?.(this.model, { _id, revision }, update.$set, session).catch(lose);
    }
    const { matchedCount } = await this.model.collection
      .updateOne({ _id, revision }, update as mongo.UpdateFilter<mongo.Document>, { session })
      .catch(lose);
    if (matchedCount === 0) throw new LostRace(undefined, String(_id));
  }

  private added(record: Pick<RecordAtRevision, '_id'>, before?: object) {
    return { model: this.model, records: this.all, record, before };
  }

  private async updateList(owner: R, list: string, change: ListChange, after: object[]): Promise<R> {
    const { changes } = this.transaction();
    const isShown = optionsOf(this.schema.path(list)).select !== false;
    const updated = isShown ? await this.update(owner, {}, change) : owner;
    const isStored = isShown || (await this.updateInternal({ _id: owner._id }, change));
    if (!isStored) throw new LostRace(undefined, String(owner._id));
    changes.add(this.model, owner, { ...updated, [list]: after });
    return { ...updated, [list]: after };
  }

  /** @throws Error outside a transaction, where a write of several records could be stored in part */
  private transaction(): Transaction {
    const transaction = currentTransaction();
    if (transaction) return transaction;
    throw new Error(
      `${this.model.modelName} records are written in a transaction: by a handler that is neither a GET nor marked ` +
        '@WithoutTransaction, of a module in src/registry/resources.ts, or inside Transactions.run.',
    );
  }
}
