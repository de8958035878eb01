import { Logger } from '@nestjs/common';
import type { Connection } from 'mongoose';
import { messageOf } from '../../base/errors/message-of';
import type { AnyModel } from '../driver/any-model';
import { isDatabaseUnavailable } from '../driver/database-errors';
import type { DeclaredIndex } from '../driver/quirks';
import { quirksOf } from '../embedded-database/server-quirks';

/** Time between two log lines of the build of an index (ms). */
const REPORT_MS = 30_000;

/** Indexes that cannot be built until somebody changes the records. */
export class IndexesMissing extends Error {}

/**
 * Creates the collections and their indexes. Several instances may do so at the same time: an index that exists is not
 * changed. When an index cannot be built, the others are still built.
 * @param connection has the Models, and no time limit for sockets: the index of a large collection takes longer than a
 * request may
 * @throws IndexesMissing that names the indexes; any Error when the database is not available
 */
export async function buildIndexes(connection: Connection): Promise<void> {
  const models = Object.values<AnyModel>(connection.models);
  for (const model of models) await model.createCollection();
  const { extraIndexes } = await quirksOf(connection);
  const problems: string[] = [];
  for (const { model, keys, options } of [...models.flatMap(declaredIndexes), ...extraIndexes(models)]) {
    const name = `${model.collection.name} (${Object.keys(keys).join(', ')})`;
    const timer = setInterval(() => new Logger('Database').log(`Still building the index ${name}`), REPORT_MS).unref();
    try {
      // By default MongoDB waits for every voting member, also for one that is away.
      await model.collection.createIndex(keys, { ...options, commitQuorum: 'majority' });
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      problems.push(`${name}: ${messageOf(error)}`);
    } finally {
      clearInterval(timer);
    }
  }
  const advice = 'npm run check:data names records with the same value.';
  if (problems.length > 0) throw new IndexesMissing(`indexes cannot be built. ${problems.join('. ')}. ${advice}`);
}

function declaredIndexes(model: AnyModel): DeclaredIndex[] {
  const indexes = model.schema.indexes() as [DeclaredIndex['keys'], DeclaredIndex['options']][];
  return indexes.map(([keys, options]) => ({ model, keys, options }));
}
