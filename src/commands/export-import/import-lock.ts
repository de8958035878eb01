import { type Connection, Types } from 'mongoose';
import { StartError } from '../../platform/base/errors/start-error';
import { isDuplicateKey } from '../../platform/records/driver/database-errors';

/** Life of the lock after its last renewal (ms), so that of an import that was killed. */
const LIFE_MS = 60_000;

/** Time between two renewals (ms). */
const RENEW_MS = 2000;

const BUSY =
  'Another import into this database is running. Wait for it; if it was killed, try again in a minute. Nothing was imported.';

interface Lock {
  _id: string;
  owner: Types.ObjectId;
  until: Date;
}

/**
 * Holds the lock of imports during the work. A process that pauses for longer than the life of the lock loses it, and does
 * not notice.
 * @throws StartError when another import holds it
 */
export async function withImportLock<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  const locks = connection.collection<Lock>('locks');
  const _id = 'import';
  const owner = new Types.ObjectId();
  const hold = (filter: object, upsert: boolean) =>
    locks.updateOne({ _id, ...filter }, { $set: { owner, until: new Date(Date.now() + LIFE_MS) } }, { upsert });
  // A lock of another process does not match, so the upsert fails on its _id.
  await hold({ until: { $lt: new Date() } }, true).catch((cause: unknown) => {
    throw isDuplicateKey(cause) ? new StartError(BUSY, { cause }) : cause;
  });
  const renewal = setInterval(() => void hold({ owner }, false).catch(() => undefined), RENEW_MS).unref();
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    // What the work did must not get lost in an error: the lock expires by itself.
    await locks.deleteOne({ _id, owner }).catch(() => undefined);
  }
}
