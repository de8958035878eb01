import type { ClientSession, Connection, mongo } from 'mongoose';
import type { AnyModel } from './any-model';
import type { PageRead } from './find-page';
import { memoized } from './memoized';
import { isSecantus, secantusQuirks } from './secantus';

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
  /** Is set if an index lacks what others write while it is built. */
  readonly buildsIndexesOffline?: boolean;
  /** Called in the transaction of an update that changes a unique value, before it. */
  readonly beforeUniqueUpdate?: (model: AnyModel, filter: object, set: object, session: ClientSession) => Promise<void>;
  /** Reads the records of a page, one more than its limit; undefined to read them by one ordinary `find`. */
  readonly readPage?: <R>(page: PageRead) => Promise<R[]> | undefined;
  /** Called once the service is ready, for work in the background that makes the first reads fast. Never rejects. */
  readonly warmUp?: (models: readonly AnyModel[]) => Promise<void>;
  /** Called after each commit, before the write is acknowledged. @throws when it is not known whether it is stored */
  readonly confirmCommit?: (connection: Connection) => Promise<unknown>;
  readonly startSnapshot: (client: mongo.MongoClient) => ClientSession;
  /** Ends the transactions of killed instances. Returns what to warn of. */
  readonly endAbandonedTransactions: (connection: Connection) => Promise<string | undefined>;
}

/**
 * The longest time for which MongoDB should keep an open transaction (s). Those of a killed instance block its records,
 * names and slugs until then.
 */
const MAX_TRANSACTION_LIFETIME_S = 15;

const mongodb: ServerQuirks = {
  extraIndexes: () => [],
  startSnapshot: (client) => client.startSession({ snapshot: true }),
  endAbandonedTransactions: warnOfLongTransactions,
};

/** The quirks of the connected server, which is asked once what it is. */
export const quirksOf = memoized(async (connection: Connection): Promise<ServerQuirks> => {
  return (await isSecantus(connection)) ? secantusQuirks() : mongodb;
});

/** MongoDB ends the transactions of killed instances by itself, after a time that is set on the server. */
async function warnOfLongTransactions(connection: Connection): Promise<string | undefined> {
  // The service's user may not be allowed to read it.
  const parameter = { getParameter: 1, transactionLifetimeLimitSeconds: 1 };
  const parameters = await connection
    .db!.admin()
    .command(parameter)
    .catch(() => ({}));
  const { transactionLifetimeLimitSeconds: limit = 0 } = parameters as { transactionLifetimeLimitSeconds?: number };
  if (limit <= MAX_TRANSACTION_LIFETIME_S) return undefined;
  const advice = `Set it to ${MAX_TRANSACTION_LIFETIME_S}.`;
  return `transactionLifetimeLimitSeconds is ${limit}: what a killed instance was writing stays blocked that long. ${advice}`;
}
