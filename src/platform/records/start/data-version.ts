import type { Connection } from 'mongoose';
import { StartError } from '../../base/errors/start-error';
import { version as release } from '../../base/settings/version';
import { isDuplicateKey } from '../driver/database-errors';

/**
 * The version of the data that this code writes. It rises when records that exist are stored in another form, or what is
 * derived from them changes, but not with a new field or collection (docs/adr/0020).
 */
export const DATA_VERSION = 5;

/** What a database, or an export, says of its data. */
export interface DataVersion {
  readonly version: number;
  /** The release of Roster that wrote this. */
  readonly release?: string;
  /** Is set while an import has begun and not ended. */
  readonly isImporting?: boolean;
}

/** The collection with the one document that says it. */
export const VERSION_COLLECTION = 'migrations';

const ONE = { _id: 'data' } as const;

const versions = (connection: Connection) => connection.collection<DataVersion & typeof ONE>(VERSION_COLLECTION);

export async function recordVersion(connection: Connection, version = DATA_VERSION): Promise<void> {
  await versions(connection).updateOne(ONE, { $set: { version, release } }, { upsert: true });
}

/** Says that an import has begun. @throws ImportUnfinished */
export async function beginImport(connection: Connection): Promise<void> {
  // While another one goes on, nothing matches, so the upsert fails on its _id.
  const free = { ...ONE, isImporting: { $ne: true } };
  const begin = versions(connection).replaceOne(
    free,
    { version: DATA_VERSION, release, isImporting: true },
    { upsert: true },
  );
  await begin.catch((cause: unknown) => {
    throw isDuplicateKey(cause) ? new ImportUnfinished(connection) : cause;
  });
}

/** Says that an import has ended: a service may start. */
export async function endImport(connection: Connection): Promise<void> {
  await versions(connection).updateOne(ONE, { $unset: { isImporting: true } });
}

/** Forgets everything, when the import has failed and its records are removed. */
export async function forgetImport(connection: Connection): Promise<void> {
  await versions(connection).deleteOne(ONE);
}

/** An import has begun and not ended, so there are only some of the records. */
export class ImportUnfinished extends StartError {
  constructor({ name }: Connection) {
    const advice = 'Wait for it; if it was killed, drop the database and import again.';
    super(`An import into the database "${name}" has not finished. ${advice}`);
  }
}

/**
 * Checks that the data, if there are any, have the version of this release. Changes nothing.
 * @throws StartError when they have another one; ImportUnfinished
 */
export async function assertReadable(connection: Connection): Promise<void> {
  const data = await versions(connection).findOne(ONE);
  if (data?.isImporting) throw new ImportUnfinished(connection);
  if (!data || data.version === DATA_VERSION) return;
  const advice = `Export them with Roster ${data.release}, and import the file into a new database. Nothing was changed.`;
  throw new StartError(`${versionsOf(`The database "${connection.name}"`, data)} ${advice}`);
}

/** Says which version these data have, and which this release has. */
export function versionsOf(what: string, data: DataVersion): string {
  const own = `this is Roster ${release} (version ${DATA_VERSION})`;
  return `${what} has data of Roster ${data.release} (version ${data.version}); ${own}.`;
}
