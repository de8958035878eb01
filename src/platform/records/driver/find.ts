import type { mongo } from 'mongoose';
import type { AnyModel } from './any-model';
import { isConnectionLost } from './database-errors';

/**
 * Reads once more after the connection was closed or another member became the primary, as the driver's `retryReads`
 * would. That also repeats reads that timed out, which would keep a slow database busy with each of them twice.
 */
export async function repeatRead<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isConnectionLost(error)) throw error;
    return read();
  }
}

/** The fields of MongoDB's `find` command that reads set. */
export type FindCommand = Pick<mongo.FindOptions, 'projection' | 'sort' | 'skip' | 'maxTimeMS'> & {
  readonly filter: object;
  readonly limit: number;
};

/**
 * Reads records by one `find` command whose only batch has them all: a driver's cursor takes more CPU time, and a
 * second command that closes it. For few or small records: those that do not fit in one reply (16 MB) would be missing.
 */
export async function findInOneBatch<R>(
  { collection, db }: AnyModel,
  find: FindCommand,
  options?: mongo.RunCommandOptions & mongo.BSONSerializeOptions,
): Promise<R[]> {
  // A command does not get the option of the connection.
  const outside = options?.session ? {} : { readConcern: { level: 'majority' } };
  const command = { find: collection.name, ...find, ...outside, batchSize: find.limit, singleBatch: true };
  const { cursor } = (await db.db!.command(command, options)) as { cursor: { firstBatch: R[] } };
  return cursor.firstBatch;
}
