import { setTimeout as sleep } from 'node:timers/promises';
import { type Collection, type Connection, Types } from 'mongoose';
import { StartError } from '../../base/errors/start-error';
import { isDuplicateKey } from './database-errors';

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

interface LockOptions {
  /** Life of the lock after its last renewal (ms). Unless set, it is short: a killed process holds up the next start. */
  readonly life?: number;
  /** The message if another process holds the lock. Without it, this one waits. */
  readonly refusal?: string;
}

/**
 * Holds a lock in the database during the work. A process that pauses for longer than the life of the lock loses it, and
 * does not notice.
 * @throws StartError with the refusal
 */
export async function withLock<T>(
  connection: Connection,
  name: string,
  work: () => Promise<T>,
  { life = LOCK_MS, refusal }: LockOptions = {},
): Promise<T> {
  const locks = connection.collection<Lock>('locks');
  const own = { _id: name, owner: new Types.ObjectId() };
  const until = (): Date => new Date(Date.now() + life);
  await acquire(locks, own, until, refusal);
  const renew = () => locks.updateOne(own, { $set: { until: until() } });
  const renewal = setInterval(() => void renew().catch(() => undefined), RENEW_MS).unref();
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    // What the work did must not get lost in an error: the lock expires by itself.
    await locks.deleteOne(own).catch(() => undefined);
  }
}

async function acquire(
  locks: Collection<Lock>,
  { _id, owner }: Pick<Lock, '_id' | 'owner'>,
  until: () => Date,
  refusal?: string,
): Promise<void> {
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
