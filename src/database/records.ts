import { mongo, Types, UpdateQuery } from 'mongoose';
import { apiError } from '../errors/api-error';
import type { FieldError } from '../errors/field-error';
import type { Page } from '../http/page';
import { assertDateOrder } from '../validation/fields/date-field';
import type { AnyModel, AnySchema, SchemaOf } from './any-model';
import { BatchReader } from './batch-reader';
import { claimFor } from './claims';
import type { Declarations } from './declarations';
import {
  changedDerivedFields,
  changedFields,
  changesUniqueKey,
  newRecord,
  shownFields,
  uniqueKeyOf,
} from './derived-fields';
import { ListParams, type Parent, readPage } from './find-page';
import { FieldSelection, projectionOf } from './projections';
import type { EmbeddedChange, Filter, RecordAtRevision } from './record.schema';
import { repeatRead } from './repeat-read';
import { quirksOf } from './server-quirks';
import { SharedReads } from './shared-reads';
import { currentTransaction, Transaction } from './transaction';
import { assertUnique } from './unique-keys';
import { LostRace, throwLost } from './write-run';

/**
 * The records of one Model: the one way to read and write them (docs/adr/0022). Inside a transaction every read and write
 * takes part in it, except pages and `findUnique`; outside, reads by id or unique key that come at the same time go out as
 * one, and writes are refused but for `updateInternal` and `removeAll`. Filters may have ids as text. What is read has no internal fields (`select: false`) unless
 * they are asked for, and must not be changed, because others may have got the same object.
 *
 * @typeParam R a record as it is read
 */
export class Records<R extends RecordAtRevision> {
  private readonly readers = new Map<string, BatchReader<unknown>>();
  private readonly pages = new SharedReads();
  private readonly schema: AnySchema;

  constructor(
    private readonly model: AnyModel,
    private readonly declarations: Pick<Declarations, 'afterDelete' | 'checkReferences'>,
  ) {
    this.schema = model.schema as AnySchema;
  }

  /** @returns the record with this id; undefined when there is none, or the id is not one */
  async get<Also = unknown>(id: Types.ObjectId | string, fields?: FieldSelection): Promise<(R & Also) | undefined> {
    if (!Types.ObjectId.isValid(id)) return undefined;
    if (!currentTransaction()) return (await this.reader('_id', fields).find(String(id))) as (R & Also) | undefined;
    const [record] = await this.find<R & Also>({ _id: id }, fields);
    return record;
  }

  /**
   * Finds a record by a field that is unique without regard to case (`keyField` in its schema), outside the transaction.
   *
   * @returns the record whose unique key is that of the value; undefined when there is none
   */
  async findUnique<Also = unknown>(
    name: string,
    value: string,
    fields?: FieldSelection,
  ): Promise<(R & Also) | undefined> {
    const { field, key } = uniqueKeyOf(this.schema, name, value);
    const read = { ...fields, also: [...(fields?.also ?? []), field] };
    return (await this.reader(field, read).find(key)) as (R & Also) | undefined;
  }

  /** Finds all records that a filter matches, in no order; for filters that few records match. */
  async find<T = R>(filter: object, fields?: FieldSelection): Promise<T[]> {
    const options = {
      projection: projectionOf(this.schema, fields),
      session: currentTransaction()?.session,
      batchSize: 1000,
    };
    return (await repeatRead(() => this.model.collection.find(this.cast(filter), options).toArray())) as T[];
  }

  async exists(filter: object): Promise<boolean> {
    return (await this.find(filter, { only: ['_id'] })).length > 0;
  }

  /** @param limit the number from which on it does not matter how many there are */
  count(filter: object, limit?: number): Promise<number> {
    const options = { ...(limit && { limit }), session: currentTransaction()?.session };
    return repeatRead(() => this.model.collection.countDocuments(this.cast(filter), options));
  }

  /**
   * Reads one page of a list (contract §2 Lists). Requests for the same page at the same time share a read.
   *
   * @param filter built field by field from validated values; a DTO is never spread into it
   * @param parent for a list below a record: `/organizations/:id/apis`
   * @throws ApiError `parent.notFound`
   */
  async page(query: ListParams, filter: object = {}, parent?: Parent): Promise<Page<R>> {
    const cast = this.cast(filter);
    const key = mongo.BSON.EJSON.stringify([cast, query]);
    const page = await this.pages.run(key, () => readPage<R>(this.model, cast, query));
    const isEmpty = page.records.length === 0;
    if (parent && isEmpty && !(await parent.records.exists({ _id: parent._id }))) throw apiError(parent.notFound);
    return page;
  }

  /** The fields of a body that differ, as they are stored. @throws InvalidContentError outOfRange, for dates out of order */
  changes(record: R, body: object): Partial<R> {
    assertDateOrder(body, record);
    return changedFields(this.schema, record, body);
  }

  /** @throws LostRace unless the record has the revision at which it was read */
  async assertCurrent({ _id, revision }: RecordAtRevision): Promise<void> {
    if (!(await this.exists({ _id, revision }))) throw new LostRace(undefined, String(_id));
  }

  /** @throws ApiError the conflict, when another record has one of the unique values */
  assertUnique(fields: object & { _id?: Types.ObjectId }): Promise<void> {
    return assertUnique(this.model, fields);
  }

  /**
   * Checks ids of other resources by their `@ChecksReference`, and adds the references.
   *
   * @param record only its id while it is being created
   * @param fields what a write sets
   */
  checkReferences(record: Partial<R> & Pick<R, '_id'>, fields: object): Promise<FieldError[]> {
    return this.declarations.checkReferences(this.model.modelName, record, fields);
  }

  /**
   * Inserts a record with the defaults of the schema, what is derived from its fields, and its slug if it has one.
   *
   * @param fields ids and dates may be text, as in a body
   * @throws ApiError the conflict, when another record has one of the unique values; LostRace
   */
  async insert(fields: object): Promise<R> {
    const { session, write } = this.transaction();
    const claim = await claimFor(this.model, fields as Record<string, unknown>);
    const record: R = newRecord<R>(this.schema as SchemaOf<R>, { ...fields, ...claim?.fields });
    if (write.isRepeated) await assertUnique(this.model, record);
    await this.model.collection
      .insertOne(record, { session })
      .catch((error: unknown) => throwLost(error, undefined, claim?.newValue));
    return record;
  }

  /**
   * Updates a record at the revision at which it was read. Raises `revision` and `updatedAt`.
   *
   * @param set the fields to change, as they are stored; what is derived from them is added
   * @param change of embedded records: `{ $pull: … }`
   * @returns the record after the update; the same one when nothing is to be changed
   * @throws ApiError the conflict, when another record has one of the unique values; LostRace when it has changed since
   */
  async update(record: R, set: object, change?: EmbeddedChange): Promise<R> {
    if (Object.keys(set).length === 0 && !change) return record;
    const { session, write } = this.transaction();
    const claim = await claimFor(this.model, set as Record<string, unknown>, record._id);
    const lose = (error: unknown): never => throwLost(error, record._id, claim?.newValue);
    const filter = { _id: record._id, revision: record.revision };
    const derived = changedDerivedFields(this.schema, record, set);
    const $set = { updatedAt: new Date(), ...set, ...derived, ...claim?.fields };
    if (claim?.newValue !== undefined || changesUniqueKey(this.schema, record, set)) {
      if (write.isRepeated) await assertUnique(this.model, { ...record, ...$set });
      const { beforeUniqueUpdate } = await quirksOf(this.model.db);
      await beforeUniqueUpdate(this.model, filter, $set, session).catch(lose);
    }
    const update = { ...change, $set, $inc: { revision: 1 } } as mongo.UpdateFilter<mongo.Document>;
    const result = await this.model.collection.updateOne(filter, update, { session }).catch(lose);
    if (result.matchedCount === 0) throw new LostRace(undefined, String(record._id));
    // At this revision, the record was as it was read, so nothing needs to be read again.
    return { ...record, ...shownFields(this.schema, $set), revision: record.revision + 1 };
  }

  /** Updates all records that a filter matches, whatever their revision, and raises it and `updatedAt`. */
  async updateAll(filter: object, change: EmbeddedChange): Promise<void> {
    const { session } = this.transaction();
    const update = { ...change, $inc: { revision: 1 }, $set: { updatedAt: new Date() } };
    await this.model.collection.updateMany(this.cast(filter), update, { session });
  }

  /**
   * Updates internal fields, which no response shows, of the record that a filter matches. Its revision stays.
   *
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
   * Makes a new reference to a record safe: this transaction and one that deletes the record cannot both commit, because
   * both write it (docs/adr/0002).
   *
   * @param filter finds the record, and has the conditions that it must meet
   * @returns whether there is such a record
   */
  addReference(filter: Filter & { readonly _id: Types.ObjectId | string }): Promise<boolean> {
    this.transaction();
    return this.updateInternal(filter, { $inc: { referenceCount: 1 } });
  }

  /**
   * Deletes a record at the revision at which it was read, and does what every `@OnDelete` of its Model says.
   *
   * @throws LostRace when it has changed since; ApiError when an `@OnDelete` refuses
   */
  async remove(record: R): Promise<void> {
    const { session } = this.transaction();
    const { _id, revision } = record;
    const { deletedCount } = await this.model.collection
      .deleteOne({ _id, revision }, { session })
      .catch((error: unknown) => throwLost(error, _id));
    if (deletedCount === 0) throw new LostRace(undefined, String(_id));
    await this.declarations.afterDelete(this.model.modelName, record);
  }

  /** Deletes all records that a filter matches, without `@OnDelete`. @returns how many */
  async removeAll(filter: object): Promise<number> {
    const options = { session: currentTransaction()?.session };
    return (await this.model.collection.deleteMany(this.cast(filter), options)).deletedCount;
  }

  /** @throws Error outside a transaction, where a write of several records could be stored in part */
  private transaction(): Transaction {
    const transaction = currentTransaction();
    if (transaction) return transaction;
    throw new Error(`${this.model.modelName} records are written in a transaction: remove @WithoutTransaction.`);
  }

  /** Ids become ObjectIds, as the schema says. */
  private cast(filter: object): object {
    return this.model.find().cast(this.model, { ...filter }) as object;
  }

  private reader(field: string, fields: FieldSelection = {}): BatchReader<unknown> {
    const key = `${field} ${JSON.stringify(fields)}`;
    const reader = this.readers.get(key) ?? new BatchReader(this.model, projectionOf(this.schema, fields), field);
    this.readers.set(key, reader);
    return reader;
  }
}
