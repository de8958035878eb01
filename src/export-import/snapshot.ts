import type { ClientSession, Connection, mongo } from 'mongoose';
import { StartError } from '../config/start-error';
import { isSecantus } from '../database/server';

/** MongoDB no longer has, or cannot give, the snapshot that a read asks for. */
const GONE: readonly unknown[] = [239, 246];

/**
 * Lets all reads of the work see the same moment, however long it takes and whatever others write meanwhile. On MongoDB
 * it is a snapshot session, which is not bound by the time limit of transactions; SecantusDB has no such sessions, and no
 * such limit.
 *
 * @param work reads with the session that it gets, one read after the other
 * @throws StartError when the work takes longer than MongoDB keeps a snapshot
 */
export async function inSnapshot<T>(connection: Connection, work: (session: ClientSession) => Promise<T>): Promise<T> {
  const isTransaction = await isSecantus(connection);
  const session = connection.getClient().startSession({ snapshot: !isTransaction });
  try {
    if (isTransaction) session.startTransaction({ readConcern: { level: 'snapshot' } });
    return await work(session);
  } catch (error) {
    if (!GONE.includes((error as mongo.MongoServerError).code)) throw error;
    throw new StartError(
      'MongoDB does not keep a snapshot for as long as the export takes. Raise minSnapshotHistoryWindowInSeconds ' +
        '(docs/operating.md) and try again. No file was written.',
      { cause: error },
    );
  } finally {
    await session.endSession();
  }
}
