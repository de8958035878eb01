import type { ClientSession, Connection } from 'mongoose';
import { StartError } from '../../base/errors/start-error';
import { version as release } from '../../base/settings/version';
import { isDuplicateKey } from '../driver/database-errors';

/**
 * The version of the data that this code writes. It rises when records that exist are stored in another form, or what is
 * derived from them changes, but not with a new field or collection (docs/adr/0020).
 */
export const DATA_VERSION = 3;

/** The version of the data in a database. Without an entry, it is 0. */
export interface DataVersion {
  /** The highest version of the releases that have written records. */
  readonly version: number;
  /** The oldest version that can read the data. */
  readonly readableFrom: number;
  /** The release of Roster that wrote this, for messages. */
  readonly release?: string;
  /** Is set while an import has begun and not ended. */
  readonly isImporting?: boolean;
}

/** The collection with the one document that says it. */
export const VERSION_COLLECTION = 'migrations';

const ONE = { _id: 'data' } as const;

/** Every version so far can read what this code writes. */
const OWN = { version: DATA_VERSION, readableFrom: 0 };

const versions = (connection: Connection) => connection.collection<DataVersion & typeof ONE>(VERSION_COLLECTION);

/** @param session of a snapshot to read in */
export async function readDataVersion(connection: Connection, session?: ClientSession): Promise<DataVersion> {
  return (await versions(connection).findOne(ONE, { session })) ?? { version: 0, readableFrom: 0 };
}

/** Writes the version of the data, which never goes back: an older instance may start while a newer one runs. */
export async function recordVersion(
  connection: Connection,
  { version, readableFrom }: Pick<DataVersion, 'version' | 'readableFrom'>,
): Promise<void> {
  await versions(connection).updateOne(ONE, { $max: { version, readableFrom }, $set: { release } }, { upsert: true });
}

/** Says that an import has begun. @throws ImportUnfinished */
export async function beginImport(connection: Connection): Promise<void> {
  // While another one goes on, nothing matches, so the upsert fails on its _id.
  const free = { ...ONE, isImporting: { $ne: true } };
  const begin = versions(connection).replaceOne(free, { ...OWN, release, isImporting: true }, { upsert: true });
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
 * Checks that this release can read the data. Changes nothing.
 * @throws StartError when the data is too new; ImportUnfinished
 */
export async function assertReadable(connection: Connection): Promise<DataVersion> {
  const data = await readDataVersion(connection);
  if (data.readableFrom > DATA_VERSION) throw new StartError(tooNew(`The database "${connection.name}"`, data));
  if (data.isImporting) throw new ImportUnfinished(connection);
  return data;
}

/** Explains why this release cannot read the data, and what to do. */
export function tooNew(what: string, data: DataVersion): string {
  const newer = data.release ? `Roster ${data.release}` : 'a newer Roster';
  return (
    `${what} has data of ${newer} (version ${data.version}), which versions before ${data.readableFrom} cannot read; ` +
    `this is Roster ${release} (version ${DATA_VERSION}). Use ${newer} or newer. Nothing was changed.`
  );
}

/** Checks the data at the start of an instance, and writes the version that it will write. @throws as assertReadable */
export async function openData(connection: Connection): Promise<void> {
  const { version } = await assertReadable(connection);
  if (version < DATA_VERSION) await recordVersion(connection, OWN);
}
