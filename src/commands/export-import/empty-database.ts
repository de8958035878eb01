import type { Connection } from 'mongoose';
import { StartError } from '../../config/start-error';
import { readDataVersion, VERSION_COLLECTION } from '../../database/migrations/data-version';

/** Collections that are no part of the data: instances write them while they run. */
const NO_DATA: ReadonlySet<string> = new Set([VERSION_COLLECTION, 'locks', 'health', 'rateLimits']);

/**
 * Checks that an import would overwrite nothing; records of a killed import do not count.
 *
 * @throws StartError when there are records
 */
export async function assertEmpty(connection: Connection): Promise<void> {
  if ((await readDataVersion(connection)).isImporting) return;
  for (const { name } of await connection.db!.listCollections({}, { nameOnly: true }).toArray()) {
    if (NO_DATA.has(name) || name.startsWith('system.')) continue;
    if (!(await connection.collection(name).findOne({}, { projection: { _id: 1 } }))) continue;
    throw new StartError(
      `The database "${connection.name}" is not empty: there are records in ${name}. Import into a new database, before ` +
        'a service has started on it: set MONGODB_URI, or DATA_DIR for the embedded database. Nothing was imported.',
    );
  }
}

/** Removes the records of all Models. The indexes stay: an instance that runs relies on them. */
export async function deleteRecords(connection: Connection): Promise<void> {
  for (const { collection } of Object.values(connection.models)) {
    await connection.collection(collection.name).deleteMany({});
  }
}
