import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, Types } from 'mongoose';
import { StartError } from '../config/start-error';
import { isDuplicateKey } from './database-errors';

/** How long a process may work without renewing its lock (ms), so a killed one does not hold up the next start. */
const LOCK_MS = 10_000;

/** How often a process renews its lock while it works (ms). */
const RENEW_MS = 2000;

/** How often a process that waits for another one checks again (ms). */
const POLL_MS = 200;

interface Lock {
  _id: string;
  owner: Types.ObjectId;
  until: Date;
}

/**
 * Waits for a lock in the database, and holds it during the work. After a pause of ten seconds, for example of the whole
 * machine, two processes may hold it: the work of both must do no harm.
 *
 * @param signal ends the wait
 * @returns what the work returns
 * @throws StartError when the signal ended the wait
 */
export async function withLock<T>(
  connection: Connection,
  name: string,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const release = await lock(connection, name, signal);
  try {
    return await work();
  } finally {
    await release();
  }
}

async function lock(connection: Connection, _id: string, signal?: AbortSignal): Promise<() => Promise<void>> {
  const locks = connection.collection<Lock>('locks');
  const owner = new Types.ObjectId();
  const until = (): Date => new Date(Date.now() + LOCK_MS);
  for (;;) {
    try {
      // A lock of another process does not match, so the upsert fails on its _id.
      await locks.updateOne({ _id, until: { $lt: new Date() } }, { $set: { owner, until: until() } }, { upsert: true });
      break;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      await sleep(POLL_MS, undefined, { signal }).catch((cause: unknown) => {
        throw new StartError(`Stopped while another ${_id} works. Nothing was changed.`, { cause });
      });
    }
  }
  // If a renewal fails, another process works too.
  const renew = (): unknown => locks.updateOne({ _id, owner }, { $set: { until: until() } }).catch(() => undefined);
  const renewal = setInterval(renew, RENEW_MS).unref();
  return async () => {
    clearInterval(renewal);
    await locks.deleteOne({ _id, owner });
  };
}
