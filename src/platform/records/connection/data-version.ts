import { Logger } from '@nestjs/common';
import type { ClientSession, Connection } from 'mongoose';
import { StartError } from '../../base/errors/start-error';
import { version as release } from '../../base/settings/version';
import { withLock } from './start-lock';
import { Step, STEPS } from './steps';

/** The version of the data that this code writes: that of the last step. */
export const DATA_VERSION = STEPS.at(-1)?.version ?? 0;

/** The version of the data in a database. Without an entry, it is 0. */
export interface DataVersion {
  /** All records have been changed by the steps up to this one. */
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

const versions = (connection: Connection) => connection.collection<DataVersion & typeof ONE>(VERSION_COLLECTION);

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

/** Says that an import has begun, and of which data. */
export async function beginImport(connection: Connection, data: DataVersion): Promise<void> {
  await versions(connection).replaceOne(ONE, { ...data, isImporting: true }, { upsert: true });
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
export class ImportUnfinished extends StartError {}

/**
 * Checks that this release can read the data. Changes nothing.
 * @throws StartError when the data is too new; ImportUnfinished
 */
export async function assertReadable(connection: Connection): Promise<DataVersion> {
  const data = await readDataVersion(connection);
  if (data.readableFrom > DATA_VERSION) throw new StartError(tooNew(`The database "${connection.name}"`, data));
  if (data.isImporting) {
    throw new ImportUnfinished(
      `An import into the database "${connection.name}" has not finished. Wait for it; if it was interrupted, run npm run import again.`,
    );
  }
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

/**
 * Checks the data at the start of an instance. An instance that is older than the data writes records that the latest
 * steps have not seen, so the next newer one repeats these. A database without records needs no step.
 * @throws as assertReadable
 */
export async function openData(connection: Connection): Promise<void> {
  const { version } = await assertReadable(connection);
  if (version > DATA_VERSION) await versions(connection).updateOne(ONE, { $set: { version: DATA_VERSION } });
  if (version < DATA_VERSION && (await hasNoRecords(connection))) await recordStep(connection, STEPS.at(-1)!);
}

async function hasNoRecords(connection: Connection): Promise<boolean> {
  const first = Object.values(connection.models).map((model) => model.exists({}));
  return (await Promise.all(first)).every((record) => record === null);
}

/**
 * Runs the steps that the data has not had yet, one instance at a time.
 * @param connection has the Models, and no time limit for sockets: a step may take longer than a request may
 */
export async function migrate(connection: Connection, steps: readonly Step[] = STEPS): Promise<void> {
  if ((await missingSteps(connection, steps)).length === 0) return;
  await withLock(connection, 'migrations', async () => {
    // Another instance may have run them while this one waited.
    for (const step of await missingSteps(connection, steps)) {
      await step.run(connection);
      await recordStep(connection, step);
      new Logger('Database').log(`The data has version ${step.version}: ${step.title}`);
    }
  });
}

async function missingSteps(connection: Connection, steps: readonly Step[]): Promise<Step[]> {
  const data = await readDataVersion(connection);
  return steps.filter(({ version }) => version > data.version);
}
