import type { ClientSession, Connection, mongo } from 'mongoose';
import { StartError } from '../../platform/base/errors/start-error';
import { quirksOf } from '../../platform/records/embedded-database/server-quirks';

const TOO_LONG =
  'MongoDB does not keep a snapshot for as long as the export takes. Raise minSnapshotHistoryWindowInSeconds ' +
  '(docs/operating.md) and try again. No file was written.';

const INTERRUPTED = 'A service that started has interrupted the export. Export again when no service is starting.';

/** What to do about the codes of a snapshot that MongoDB no longer has, and of reads that a start has ended. */
const ADVICE: Readonly<Record<string, string>> = { 239: TOO_LONG, 246: TOO_LONG, 251: INTERRUPTED };

/**
 * Lets all reads of the work see the same moment, in a snapshot session, which has no time limit as transactions have.
 *
 * @param work reads with the session, one read after the other
 * @throws StartError when a service that starts ends it, or the work takes longer than MongoDB keeps it
 */
export async function inSnapshot<T>(connection: Connection, work: (session: ClientSession) => Promise<T>): Promise<T> {
  const { startSnapshot } = await quirksOf(connection);
  const session = startSnapshot(connection.getClient());
  try {
    return await work(session);
  } catch (error) {
    const advice = ADVICE[String((error as mongo.MongoServerError).code)];
    throw advice ? new StartError(advice, { cause: error }) : error;
  } finally {
    await session.endSession();
  }
}
