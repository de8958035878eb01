import type { ClientSession, Connection, mongo, Types } from 'mongoose';
import type { AnyModel } from './any-model';

/** The read of one page of a list. */
export interface PageRead {
  readonly model: AnyModel;
  /** First those that few records meet and an index serves: an id, a unique key. */
  readonly conditions: readonly object[];
  /** The ids after a record in the order of the page; none for the first page. */
  readonly range: Readonly<Partial<Record<'$gt' | '$lt', Types.ObjectId>>>;
  readonly skip: number;
  readonly limit: number;
  /** The field that the page is sorted by, before `_id`: 1 from the first on, -1 from the last on. */
  readonly by: string;
  readonly order: 1 | -1;
}

/** An index to build. */
export interface DeclaredIndex {
  readonly model: AnyModel;
  readonly keys: Record<string, mongo.IndexDirection>;
  readonly options: mongo.CreateIndexesOptions;
}

/** What differs between databases; what is optional, MongoDB does not need. */
export interface ServerQuirks {
  /** Indexes in addition to those that the Models declare. */
  readonly extraIndexes: (models: readonly AnyModel[]) => DeclaredIndex[];
  /** Called in the transaction of an update that changes a unique value, before it. */
  readonly beforeUniqueUpdate?: (model: AnyModel, filter: object, set: object, session: ClientSession) => Promise<void>;
  /** Reads the records of a page, one more than its limit; an ordinary `find` on MongoDB. */
  readonly readPage?: <R>(page: PageRead) => Promise<R[]>;
  /**
   * Where a read has no time limit: how many reads of all records run at a time, and when a read whose response was lost
   * counts as ended (ms).
   */
  readonly plainReads?: Record<'running' | 'runningPerKey' | 'endedAfterMs', number>;
  /** Called after each commit, before the write is acknowledged. @throws when it is not known whether it is stored */
  readonly confirmCommit?: (connection: Connection) => Promise<unknown>;
  readonly startSnapshot: (client: mongo.MongoClient) => ClientSession;
  /** Ends the transactions of killed instances, which MongoDB ends by itself after a time. */
  readonly endAbandonedTransactions?: (connection: Connection) => Promise<unknown>;
}
