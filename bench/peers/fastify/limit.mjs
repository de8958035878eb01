/** The same as raw.mjs with reads by id in batches: about the least work that these responses can cost. */
import { ObjectId } from 'mongodb';
import { ACCOUNT_FIELDS, ORGANIZATION_FIELDS } from '../shared/records.mjs';
import { startApp } from './app.mjs';

await startApp(({ users, organizations }) => ({
  user: batchedReads(users, ACCOUNT_FIELDS),
  organization: batchedReads(organizations, ORGANIZATION_FIELDS),
}));

/**
 * Reads by id with one read in flight: the ids that are asked for meanwhile are the next one's.
 *
 * @param {import('mongodb').Collection} collection
 * @param {object} projection
 * @returns {(id: string) => Promise<any>}
 */
function batchedReads(collection, projection) {
  /** @type {Map<string, {resolve: (record: unknown) => void, reject: (error: unknown) => void}[]>} */
  let waiting = new Map();
  let isReading = false;

  async function readAll() {
    isReading = true;
    while (waiting.size > 0) {
      const batch = waiting;
      waiting = new Map();
      await read(batch);
    }
    isReading = false;
  }

  async function read(/** @type {typeof waiting} */ batch) {
    const ids = [...batch.keys()].map((id) => new ObjectId(id));
    const filter = { _id: ids.length === 1 ? ids[0] : { $in: ids } };
    try {
      const records = await collection.find(filter, { projection }).toArray();
      const byId = new Map(records.map((record) => [record._id.toHexString(), record]));
      for (const [id, callers] of batch) for (const { resolve } of callers) resolve(byId.get(id) ?? null);
    } catch (error) {
      for (const callers of batch.values()) for (const { reject } of callers) reject(error);
    }
  }

  return (id) =>
    new Promise((resolve, reject) => {
      const callers = waiting.get(id) ?? [];
      waiting.set(id, [...callers, { resolve, reject }]);
      // At the end of the turn of the event loop, when all requests that came with this one have asked.
      if (!isReading) setImmediate(() => isReading || void readAll());
    });
}
