import type { ClientSession, Connection, mongo } from 'mongoose';
import { StartError } from '../../config/start-error';
import { isSecantus } from '../../database/server';

/** MongoDB no longer has, or cannot give, the snapshot that a read asks for. */
const GONE: readonly unknown[] = [239, 246];

/** The transaction was ended by somebody else: a service that starts on SecantusDB ends all that are open. */
const ENDED = 251;

/** How often the work is done again. */
const MAX_RETRIES = 3;

/**
 * Lets all reads of the work see the same moment, however long it takes and whatever others write meanwhile. On MongoDB
 * it is a snapshot session, which is not bound by the time limit of transactions; SecantusDB has no such sessions, and no
 * such limit.
 *
 * @param work reads with the session that it gets, one read after the other. It runs again if its transaction was ended
 * @throws StartError when the work takes longer than MongoDB keeps a snapshot
 */
export async function inSnapshot<T>(connection: Connection, work: (session: ClientSession) => Promise<T>): Promise<T> {
  const isTransaction = await isSecantus(connection);
  for (let retries = 0; ; retries += 1) {
    const session = connection.getClient().startSession({ snapshot: !isTransaction });
    try {
      if (isTransaction) session.startTransaction({ readConcern: { level: 'snapshot' } });
      return await work(session);
    } catch (error) {
      const { code } = error as mongo.MongoServerError;
      if (GONE.includes(code)) throw snapshotGone(error);
      if (code !== ENDED || retries === MAX_RETRIES) throw error;
    } finally {
      await session.endSession();
    }
  }
}

function snapshotGone(cause: unknown): Error {
  return new StartError(
    'MongoDB does not keep a snapshot for as long as the export takes. Raise minSnapshotHistoryWindowInSeconds ' +
      '(docs/operating.md) and try again. No file was written.',
    { cause },
  );
}
