import type { Connection } from 'mongoose';
import { NotReadyError } from './not-ready-error';

/** A collection that only the unreleased version 1.0 had. */
const EARLIER_COLLECTION = 'admins';

/**
 * Rejects a database of the unreleased version 1.0, which has records with other fields, and does not change it.
 *
 * @throws NotReadyError
 */
export async function refuseEarlierData(connection: Connection): Promise<void> {
  const earlier = await connection.db!.listCollections({ name: EARLIER_COLLECTION }, { nameOnly: true }).toArray();
  if (earlier.length === 0) return;
  const advice = 'Set MONGODB_URI to another database, or drop this one.';
  throw new NotReadyError('database', `"${connection.name}" was written by an earlier, unreleased version. ${advice}`);
}
