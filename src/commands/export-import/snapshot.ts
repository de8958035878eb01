import type { ClientSession, Connection, mongo } from 'mongoose';
import { StartError } from '../../platform/base/errors/start-error';
import { VERSION_COLLECTION } from '../../platform/records/start/data-version';
import { quirksOf } from '../../platform/records/embedded-database/server-quirks';

/** MongoDB no longer has, or cannot give, the snapshot that a read asks for. */
const GONE: readonly unknown[] = [239, 246];

/** The read was ended from outside, by the start of a service. */
const ENDED = 251;

const NO_SNAPSHOT =
  'The database server does not give snapshots, so an export could show several moments. Stop all instances and use the ' +
  'tools of the server. No file was written.';

const TOO_LONG =
  'MongoDB does not keep a snapshot for as long as the export takes. Raise minSnapshotHistoryWindowInSeconds ' +
  '(docs/operating.md) and try again. No file was written.';

const INTERRUPTED =
  'A service that started has interrupted the export. It is not complete; export again when no service is starting.';

/**
 * Lets all reads of the work see the same moment, in a snapshot session, which has no time limit as transactions have.
 *
 * @param work reads with the session, one read after the other
 * @throws StartError when the server takes no snapshot, a service that starts ends it, or the work takes longer than
 *   MongoDB keeps it
 */
export async function inSnapshot<T>(connection: Connection, work: (session: ClientSession) => Promise<T>): Promise<T> {
  const { startSnapshot } = await quirksOf(connection);
  const session = startSnapshot(connection.getClient());
  try {
    await assertSnapshot(connection, session);
    return await work(session);
  } catch (error) {
    const { code } = error as mongo.MongoServerError;
    if (GONE.includes(code)) throw new StartError(TOO_LONG, { cause: error });
    if (code === ENDED) throw new StartError(INTERRUPTED, { cause: error });
    throw error;
  } finally {
    await session.endSession();
  }
}

/** The first read of a snapshot session fixes its moment. A server that knows no snapshots ignores what it asks for. */
async function assertSnapshot(connection: Connection, session: ClientSession): Promise<void> {
  if (!session.snapshotEnabled) return;
  await connection.collection(VERSION_COLLECTION).findOne({}, { session });
  // The driver keeps it as documented for drivers, but leaves it out of its types.
  if (!(session as { snapshotTime?: unknown }).snapshotTime) throw new StartError(NO_SNAPSHOT);
}
