import type { ClientSession, Connection } from 'mongoose';
import type { AnyModel } from '../driver/any-model';
import type { DeclaredIndex, ServerQuirks } from '../driver/quirks';
import { SharedReads } from '../reads/shared-reads';
import { referencesTo } from '../schema/references';
import { type KnownIds, readPage } from './read-page';

/*
 * Everything that exists only for SecantusDB, the embedded database (docs/adr/0003). To drop it, delete this folder
 * and what imports its server-quirks.ts.
 */

/** Everything that SecantusDB does in another way than MongoDB, for one connection. */
export function secantusQuirks(): ServerQuirks {
  const confirmations = new SharedReads();
  const knownIds = new Map<AnyModel, KnownIds>();
  return {
    extraIndexes,
    beforeUniqueUpdate: insertAgain,
    readPage: (page) => readPage(page, knownIds),
    // It ignores maxTimeMS and goes on when its client has left. Each read of all records takes memory.
    plainReads: { running: 2, runningPerKey: 1, endedAfterMs: 60_000 },
    confirmCommit: (connection) => confirmations.run('', () => readSomething(connection)),
    // It has no snapshot sessions, and no time limit of transactions.
    startSnapshot: (client) => {
      const session = client.startSession();
      session.startTransaction({ readConcern: { level: 'snapshot' } });
      return session;
    },
    // It keeps them forever. The transactions of live instances end too, and run again.
    endAbandonedTransactions: (connection) => connection.db!.admin().command({ killAllSessions: [] }),
  };
}

/**
 * The fields of filters that change one record: those of new references, and those that the schema declares. For these,
 * MongoDB uses the index of `_id`; SecantusDB reads the whole collection, unless an index has all of the fields.
 * test/structure/writes finds what is missing.
 */
function updateFilters(model: AnyModel): (readonly string[])[] {
  const declared = (model.schema.get('updateFilters' as never) ?? []) as unknown as readonly string[][];
  const added = referencesTo(model.db, model.modelName).flatMap(({ among, limit }) => {
    const names = Object.keys(among);
    return limit ? [names, [...names, 'referenceCount']] : [names];
  });
  // A record of the path has its revision in the filter, too.
  const withRevision = added.filter((names) => names.length > 0).map((names) => [...names, 'revision']);
  return [...new Map([...declared, ...withRevision].map((names) => [names.join(), names])).values()];
}

function extraIndexes(models: readonly AnyModel[]): DeclaredIndex[] {
  const keysOf = (names: readonly string[]): DeclaredIndex['keys'] =>
    Object.fromEntries(names.map((name) => [name, 1]));
  return models.flatMap((model) => {
    // Serves a range of ids, too, which the index of `_id` alone does not.
    const common = model.schema.path('revision') ? 'revision' : 'createdAt';
    const filters = [[common], ...updateFilters(model)].map((names) => ['_id', ...names]);
    return filters.map((names) => ({ model, keys: keysOf(names), options: {} }));
  });
}

/**
 * Deletes a record and inserts it with its new unique values: unique indexes keep the value that a record was inserted
 * with, so an old name would stay taken (ADR 11).
 */
async function insertAgain(
  { collection }: AnyModel,
  filter: object,
  set: object,
  session: ClientSession,
): Promise<void> {
  const record = await collection.findOne(filter, { session });
  if (!record) return;
  await collection.deleteOne({ _id: record._id }, { session });
  await collection.insertOne({ ...record, ...set }, { session });
}

/**
 * Fails when the storage engine has failed. SecantusDB drops the error of a commit, so it acknowledges one that the
 * engine could not store, on a full disk for example. From then on, each read fails.
 */
function readSomething({ db }: Connection): Promise<unknown> {
  return db!.command({ find: 'health', limit: 1, singleBatch: true });
}
