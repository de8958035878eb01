import type { ClientSession, Connection, Types } from 'mongoose';
import { StartError } from '../../config/start-error';
import { version as release } from '../../config/version';
import { isDuplicateKey } from '../database-errors';
import { STEPS } from './steps';

/** The version of the data that this code writes: that of the last step. */
export const DATA_VERSION = STEPS.at(-1)?.version ?? 0;

/** What the database says about its data. One that says nothing has version 0. */
export interface DataVersion {
  /** All records have been changed by the steps up to this one. */
  readonly version: number;
  /** The oldest version that can read the data. */
  readonly readableFrom: number;
  /** The release of Roster that wrote this, for messages. */
  readonly release?: string;
  /** Whether an import has begun and not ended. */
  readonly isImporting?: boolean;
  /** The last import that has begun. */
  readonly importId?: Types.ObjectId;
}

interface Stored extends DataVersion {
  readonly _id: 'data';
}

/** The collection with the one document that says it. */
export const VERSION_COLLECTION = 'migrations';

const ONE = { _id: 'data' } as const;

const versions = (connection: Connection) => connection.collection<Stored>(VERSION_COLLECTION);

/** @param session of a snapshot to read in */
export async function readDataVersion(connection: Connection, session?: ClientSession): Promise<DataVersion> {
  return (await versions(connection).findOne(ONE, { session })) ?? { version: 0, readableFrom: 0 };
}

/** Says that a step is done. Never goes back, so it does no harm when two instances run the same steps. */
export async function recordStep(
  connection: Connection,
  { version, readableFrom }: Pick<DataVersion, 'version' | 'readableFrom'>,
): Promise<void> {
  await versions(connection).updateOne(ONE, { $max: { version, readableFrom }, $set: { release } }, { upsert: true });
}

/** Another import has begun since this one did: that can happen after a pause (start-lock.ts). */
export class ImportReplaced extends StartError {
  constructor() {
    super('Another import has replaced this one, which was paused too long. This one ends and removes nothing.');
  }
}

/**
 * Says that an import has begun, and of which data.
 *
 * @param replaced the last import when the database was checked
 * @throws ImportReplaced when another one has begun since
 */
export async function beginImport(
  connection: Connection,
  importId: Types.ObjectId,
  data: DataVersion,
  replaced?: Types.ObjectId,
): Promise<void> {
  const filter = { ...ONE, importId: replaced ?? { $exists: false } };
  try {
    await versions(connection).replaceOne(filter, { ...data, isImporting: true, importId }, { upsert: true });
  } catch (error) {
    throw isDuplicateKey(error) ? new ImportReplaced() : error;
  }
}

/**
 * Checks that no other import has begun. It writes, because a server that was the primary before could answer a read.
 *
 * @throws ImportReplaced
 */
export async function refuseReplaced(connection: Connection, importId: Types.ObjectId): Promise<void> {
  const { matchedCount } = await versions(connection).updateOne(unfinished(importId), { $set: { importId } });
  if (matchedCount === 0) throw new ImportReplaced();
}

/**
 * Says that the import is complete.
 *
 * @throws ImportReplaced
 */
export async function endImport(connection: Connection, importId: Types.ObjectId): Promise<void> {
  const { matchedCount } = await versions(connection).updateOne(unfinished(importId), {
    $unset: { isImporting: true },
  });
  if (matchedCount === 0) throw new ImportReplaced();
}

/** Forgets everything, when the import has failed and its records are removed. */
export async function forgetImport(connection: Connection, importId: Types.ObjectId): Promise<void> {
  await versions(connection).deleteOne(unfinished(importId));
}

const unfinished = (importId: Types.ObjectId) => ({ ...ONE, importId, isImporting: true });

/** An import has begun and not ended, so there are only some of the records. */
export class ImportUnfinished extends StartError {}

/**
 * Checks that this release can read the data. Changes nothing.
 *
 * @param known the version of the data that this code writes
 * @throws StartError when the data is too new; ImportUnfinished
 */
export async function refuseUnreadable(connection: Connection, known = DATA_VERSION): Promise<DataVersion> {
  const data = await readDataVersion(connection);
  if (data.readableFrom > known) throw new StartError(tooNew(`The database "${connection.name}"`, data, known));
  if (data.isImporting) {
    throw new ImportUnfinished(
      `An import into the database "${connection.name}" has not finished. Wait for it; if it was interrupted, run npm run import again.`,
    );
  }
  return data;
}

/** Why this release cannot read the data, and what to do. */
export function tooNew(what: string, data: DataVersion, known = DATA_VERSION): string {
  const newer = data.release ? `Roster ${data.release}` : 'a newer Roster';
  return (
    `${what} has data of ${newer} (version ${data.version}), which versions before ${data.readableFrom} cannot read; ` +
    `this is Roster ${release} (version ${known}). Use ${newer} or newer. Nothing was changed.`
  );
}

/**
 * Checks the data at the start of an instance. An instance that is older than the data writes records that the latest
 * steps have not seen, so the next newer one repeats these.
 *
 * @throws as refuseUnreadable
 */
export async function openData(connection: Connection, known = DATA_VERSION): Promise<void> {
  const { version } = await refuseUnreadable(connection, known);
  if (version > known) await versions(connection).updateOne(ONE, { $set: { version: known } });
}
