import { setTimeout as sleep } from 'node:timers/promises';
import { type Collection, type Connection, Types } from 'mongoose';
import { StartError } from '../../base/errors/start-error';
import { isDuplicateKey } from './database-errors';

/** Life of a lock that is not renewed (ms). It is short, because a killed process holds up the next start that long. */
const LOCK_MS = 10_000;

/** Time between two renewals of a lock (ms). */
const RENEW_MS = 2000;

/** Time between two attempts to get a lock (ms). */
const POLL_MS = 200;

interface Lock {
  _id: string;
  owner: Types.ObjectId;
  until: Date;
}

/** Another process has the lock now: that can happen after a pause of ten seconds, for example of the whole machine. */
export class LockLost extends StartError {
  constructor(name: string) {
    super(`Another ${name} has begun, because this one was paused for too long. This one ends and removes nothing.`);
  }
}

/** Keeps a lock for another ten seconds. @throws LockLost */
export type Renew = () => Promise<void>;

/**
 * Holds a lock in the database during the work, which must do no harm if the lock is lost meanwhile: it can be
 * repeated, or renews the lock before each change.
 * @param refusal the message if another process holds the lock. Without it, this one waits
 * @throws StartError with the refusal
 */
export async function withLock<T>(
  connection: Connection,
  name: string,
  work: (renew: Renew) => Promise<T>,
  refusal?: string,
): Promise<T> {
  const locks = connection.collection<Lock>('locks');
  const own = { _id: name, owner: new Types.ObjectId() };
  await acquire(locks, own, refusal);
  const renew = async (): Promise<void> => {
    const { matchedCount } = await locks.updateOne(own, { $set: { until: until() } });
    if (matchedCount === 0) throw new LockLost(name);
  };
  const renewal = setInterval(() => void renew().catch(() => undefined), RENEW_MS).unref();
  try {
    return await work(renew);
  } finally {
    clearInterval(renewal);
    // What the work did must not get lost in an error: the lock expires by itself.
    await locks.deleteOne(own).catch(() => undefined);
  }
}

async function acquire(locks: Collection<Lock>, { _id, owner }: Pick<Lock, '_id' | 'owner'>, refusal?: string) {
  for (;;) {
    try {
      // A lock of another process does not match, so the upsert fails on its _id.
      await locks.updateOne({ _id, until: { $lt: new Date() } }, { $set: { owner, until: until() } }, { upsert: true });
      return;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      if (refusal) throw new StartError(refusal, { cause: error });
      await sleep(POLL_MS);
    }
  }
}

const until = (): Date => new Date(Date.now() + LOCK_MS);
