import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, Types } from 'mongoose';
import { isDuplicateKey } from './duplicate-key';

/**
 * How long an instance may build before another one takes over its lock (ms), so a killed one does not hold up the next
 * start. Two that build at the same time do no harm: an index that exists is not changed.
 */
const LOCK_MS = 10_000;

/** How often an instance that waits for another one's build checks again (ms). */
const POLL_MS = 200;

/**
 * Creates every Model's collection and indexes, one instance at a time.
 *
 * @throws Error that names the Model and the index when records break a unique index
 */
export async function buildIndexes(connection: Connection): Promise<void> {
  const owner = await lock(connection);
  try {
    for (const model of Object.values(connection.models)) {
      await model.createCollection();
      await model.createIndexes().catch((error: Error) => {
        throw new Error(`the indexes of ${model.collection.name} cannot be built: ${error.message}`);
      });
    }
  } finally {
    await connection.collection<Lock>('locks').deleteOne({ _id: 'indexes', owner });
  }
}

interface Lock {
  _id: string;
  owner: Types.ObjectId;
  until: Date;
}

async function lock(connection: Connection): Promise<Types.ObjectId> {
  const owner = new Types.ObjectId();
  for (;;) {
    const now = Date.now();
    try {
      // A lock of another instance does not match, so the upsert fails on its _id.
      await connection
        .collection<Lock>('locks')
        .updateOne(
          { _id: 'indexes', until: { $lt: new Date(now) } },
          { $set: { owner, until: new Date(now + LOCK_MS) } },
          { upsert: true },
        );
      return owner;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      await sleep(POLL_MS);
    }
  }
}
