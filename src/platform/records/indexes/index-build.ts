import { isDeepStrictEqual } from 'node:util';
import { Logger } from '@nestjs/common';
import type { Collection, Connection } from 'mongoose';
import { messageOf } from '../../base/errors/message-of';
import type { AnyModel } from '../connection/any-model';
import { isDatabaseUnavailable, isDuplicateKey } from '../connection/database-errors';
import { describeDuplicates } from './duplicates';
import { DeclaredIndex, quirksOf } from '../connection/server-quirks';

/** Time between two log lines of the build of an index (ms). */
const REPORT_MS = 30_000;

/** Records from which on an index takes long enough to log its beginning. */
const MANY = 1000;

/** Unique indexes keep a promise of the contract; the others only make reads fast. */
type IndexKind = 'unique' | 'other';

/** The indexes of one kind that the schemas of a connection declare. */
export function declaredIndexes({ models }: Connection, kind: IndexKind): DeclaredIndex[] {
  return Object.values<AnyModel>(models).flatMap((model) =>
    (model.schema.indexes() as [DeclaredIndex['keys'], DeclaredIndex['options']][])
      .filter(([, options]) => (options.unique === true) === (kind === 'unique'))
      .map(([keys, options]) => ({ model, keys, options })),
  );
}

/**
 * Creates the collections and the indexes of one kind. Several instances may do so at the same time: an index that exists
 * is not changed. When an index cannot be built, the others are still built.
 * @param connection has the Models, and no time limit for sockets: the index of a large collection takes longer than a
 * request may
 * @returns which indexes could not be built, and why; empty when all exist
 * @throws Error when the database is not available
 */
export async function buildIndexes(connection: Connection, kind: IndexKind): Promise<string[]> {
  const models = Object.values<AnyModel>(connection.models);
  for (const model of models) await model.createCollection();
  const problems: string[] = [];
  const { extraIndexes } = await quirksOf(connection);
  for (const index of [...declaredIndexes(connection, kind), ...(kind === 'other' ? extraIndexes(models) : [])]) {
    const problem = await build(index);
    if (problem !== undefined) problems.push(problem);
  }
  return problems;
}

/** Unique indexes that cannot be built until somebody changes the records. */
export class IndexesMissing extends Error {}

/**
 * Builds the unique indexes, over a connection as `buildIndexes` needs it.
 * @throws IndexesMissing that names the indexes and the duplicates; any Error when the database is not available
 */
export async function buildUniqueIndexes(connection: Connection): Promise<void> {
  const problems = await buildIndexes(connection, 'unique');
  if (problems.length > 0) throw new IndexesMissing(`unique indexes cannot be built. ${problems.join('. ')}`);
}

/** @returns why the index could not be built */
async function build({ model: { collection }, keys, options }: DeclaredIndex): Promise<string | undefined> {
  try {
    // By default MongoDB waits for every voting member, also for one that is away.
    const building = () => collection.createIndex(keys, { ...options, commitQuorum: 'majority' });
    await logBuild(collection, keys, building);
    return undefined;
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    const names = Object.keys(keys);
    const reason = isDuplicateKey(error) ? await describeDuplicates(collection, names, options) : messageOf(error);
    return `${collection.name} (${names.join(', ')}): ${reason}`;
  }
}

/** Logs the build of a new index while it lasts, and when it begins if it has many records. */
async function logBuild(collection: Collection, keys: object, build: () => Promise<unknown>): Promise<void> {
  const exists = (await collection.indexes()).some(({ key }) => isDeepStrictEqual(key, keys));
  const records = exists ? 0 : await collection.estimatedDocumentCount();
  const what = `the index of ${collection.name} (${Object.keys(keys).join(', ')}), with ${records} records`;
  const log = new Logger('Database');
  if (records >= MANY) log.log(`Building ${what}`);
  // Few records are fast to index, but the build may wait for other members.
  const timer = setInterval(() => log.log(`Still building ${what}`), REPORT_MS).unref();
  await build().finally(() => clearInterval(timer));
}
