import { mongo, Types } from 'mongoose';
import { apiError, type ErrorName } from '../base/errors/api-error';
import type { Page } from './reads/page';
import type { AnyModel, AnySchema } from './driver/any-model';
import { BatchReader } from './reads/batch-reader';
import { conditionsOf, type ListParams, readPage } from './reads/find-page';
import { FieldSelection, projectionOf } from './schema/projections';
import type { RecordAtRevision } from './schema/record.schema';
import { repeatRead } from './driver/find';
import type { Database } from './database';
import type { SearchIndexes } from './search/search-index';
import { SharedReads } from './reads/shared-reads';
import { context, currentTransaction } from './transactions/context';
import { isIndexed, uniqueKeyOf } from './schema/unique-keys';
import type { RecordsByModel } from './writes/records-by-model';

/** What the records of all Models share. */
interface Shared extends RecordsByModel {
  readonly database: Database;
  readonly indexes: SearchIndexes;
}

/**
 * The reading half of `Records`. Inside a transaction every read takes part in it, except pages and `findUnique`;
 * outside, reads by id or unique key that come at the same time go out as one. Filters may have ids as text. Records
 * have no internal fields (`select: false`) unless they are asked for. Treat results as immutable: callers share them.
 * @typeParam R the type of a record that is read
 */
export abstract class RecordReads<R extends RecordAtRevision> {
  readonly schema: AnySchema;
  private readonly readers = new Map<string, BatchReader<unknown>>();
  private readonly pages = new SharedReads();

  constructor(
    protected readonly model: AnyModel,
    protected readonly all: Shared,
  ) {
    this.schema = model.schema;
  }

  /** @returns the record with this id; undefined when there is none, or the id is not one */
  async get<Also = unknown>(id: Types.ObjectId | string, fields?: FieldSelection): Promise<(R & Also) | undefined> {
    if (!Types.ObjectId.isValid(id)) return undefined;
    if (!currentTransaction()) return (await this.reader('_id', fields).find(String(id))) as (R & Also) | undefined;
    const [record] = await this.find<R & Also>({ _id: id }, fields);
    return record;
  }

  /**
   * Finds a record by a field that is unique (`keyField` in its schema), or by an indexed one of embedded records whose
   * values are (`apiKeys.hash`), outside the transaction.
   */
  async findUnique<Also = unknown>(
    name: string,
    value: string,
    fields?: FieldSelection,
  ): Promise<(R & Also) | undefined> {
    const { field, key } = uniqueKeyOf(this.schema, name, value) ?? { field: name, key: value };
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
    return (await repeated(() => this.model.collection.find(this.cast(filter), options).toArray())) as T[];
  }

  async exists(filter: object): Promise<boolean> {
    return (await this.find(filter, { only: ['_id'] })).length > 0;
  }

  /** @throws ApiError the given one, when the record was deleted */
  async assertExists(_id: Types.ObjectId, notFound: ErrorName): Promise<void> {
    if (!(await this.exists({ _id }))) throw apiError(notFound);
  }

  /** @param limit the number from which on it does not matter how many there are */
  count(filter: object, limit: number): Promise<number> {
    const options = { limit, session: currentTransaction()?.session };
    return repeated(() => this.model.collection.countDocuments(this.cast(filter), options));
  }

  /**
   * Reads one page of a list (contract §2 Lists). Requests for the same page at the same time share a read. Searches,
   * counts and filters without an index, which can read all records, run a few at a time, in turn by account.
   * @param filter built field by field from validated values; a DTO is never spread into it. Those that are undefined
   * are left out, and those of unique fields are compared by their keys (contract §1.9)
   * @throws ApiError overloaded (503) when the queue is full, or the wait or the read too long
   */
  page(query: ListParams, filter: object = {}): Promise<Page<R>> {
    const given = Object.entries(filter).filter(([, value]) => value !== undefined);
    const cast = this.cast(Object.fromEntries(given));
    const key = mongo.BSON.EJSON.stringify([cast, query]);
    const { database, indexes } = this.all;
    const account = String(context().account?.()?._id);
    const conditions = conditionsOf(this.model, cast, query);
    const read = async () => readPage<R>(this.model, conditions, query, (await database.quirks()).readPage);
    const shared = (): Promise<Page<R>> => this.pages.run(key, read);
    const { lookups, filters } = conditions;
    const isServed = lookups.length > 0 || filters.every((condition) => isIndexed(this.schema, condition));
    const readsAll = !query.id && (query.q !== undefined || query.exactCount === true || !isServed);
    const inTurn = (): Promise<Page<R>> => (readsAll ? indexes.plainReads.run(account, shared) : repeatRead(shared));
    const index = indexes.of(this.model);
    if (query.q === undefined || !index.isBuilt) return inTurn();
    const search = async () => index.page<R>(conditions, query, (await database.quirks()).readPage, account);
    return repeatRead(() => this.pages.run(`search ${account} ${key}`, search)).then((found) => found ?? inTurn());
  }

  /** Ids become ObjectIds, as the schema says. */
  protected cast(filter: object): object {
    return this.model.find().cast(this.model, { ...filter }) as object;
  }

  private reader(field: string, fields: FieldSelection = {}): BatchReader<unknown> {
    const key = `${field} ${JSON.stringify(fields)}`;
    const reader = this.readers.get(key) ?? new BatchReader(this.model, projectionOf(this.schema, fields), field);
    this.readers.set(key, reader);
    return reader;
  }
}

/** A transaction repeats as a whole. */
function repeated<T>(read: () => Promise<T>): Promise<T> {
  return currentTransaction() ? read() : repeatRead(read);
}
