import type { ClientSession, Connection, mongo } from 'mongoose';
import type { AnyModel } from './any-model';
import type { PageRead } from '../reads/find-page';
import { memoized } from '../../base/memoized';
import { isSecantus, secantusQuirks } from '../embedded-database/secantus';

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
  /** Reads the records of a page, one more than its limit; undefined to read them by one ordinary `find`. */
  readonly readPage?: <R>(page: PageRead) => Promise<R[]> | undefined;
  /** Called once the service is ready, for work in the background that makes the first reads fast. Never rejects. */
  readonly warmUp?: (models: readonly AnyModel[]) => Promise<void>;
  /** Called after each commit, before the write is acknowledged. @throws when it is not known whether it is stored */
  readonly confirmCommit?: (connection: Connection) => Promise<unknown>;
  readonly startSnapshot: (client: mongo.MongoClient) => ClientSession;
  /** Ends the transactions of killed instances, which MongoDB ends by itself after a time. */
  readonly endAbandonedTransactions?: (connection: Connection) => Promise<unknown>;
}

const mongodb: ServerQuirks = {
  extraIndexes: () => [],
  startSnapshot: (client) => client.startSession({ snapshot: true }),
};

/** The quirks of the connected server, which is asked once what it is. */
export const quirksOf = memoized(async (connection: Connection): Promise<ServerQuirks> => {
  return (await isSecantus(connection)) ? secantusQuirks() : mongodb;
});
