import { randomBytes } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { link, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { ClientSession, Connection } from 'mongoose';
import { StartError } from '../../platform/base/errors/start-error';
import { version as release } from '../../platform/base/settings/version';
import { DATA_VERSION, readDataVersion } from '../../platform/records/start/data-version';
import { messageOf } from '../../platform/base/errors/message-of';
import { Progress, Screen } from '../progress';
import { User } from '../../registry/users/user.schema';
import { FORMAT, Header, STREAM, toLine, totalOf } from './format';
import { inSnapshot } from './snapshot';

/** Records in memory at once: a File may have a MiB. */
const BATCH = 20;

/** Values that replace those of an export: sessions are left out. */
const LEFT_OUT: Readonly<Record<string, object>> = { [User.name]: { sessions: [] } };

/**
 * Writes all records of the Models as they are at one moment to a file, which appears when it is complete.
 *
 * @param file its name, or `-` for standard output
 * @param signal stops it
 * @throws StartError when the database is of a newer version, the file exists or cannot be written, or it was stopped
 */
export async function exportData(
  connection: Connection,
  file: string,
  screen: Screen,
  signal: AbortSignal,
): Promise<void> {
  if (existsSync(file)) throw existsAlready(file);
  await inSnapshot(connection, async (session) => {
    const header = await headerOf(connection, session);
    const progress = new Progress(screen, 'Records', totalOf(header));
    const lines = linesOf(connection, header, session, progress);
    await (file === STREAM ? writeOutput(lines, signal) : writeFile(file, lines, signal));
    progress.end(`${progress.total} exported`);
  });
}

/** @throws StartError when a newer version wrote: this release may not know all collections */
async function headerOf(connection: Connection, session: ClientSession): Promise<Header> {
  const { version, readableFrom, release: writer } = await readDataVersion(connection, session);
  if (version > DATA_VERSION) {
    throw new StartError(
      `The database "${connection.name}" has data of Roster ${writer} (version ${version}); this is Roster ${release} ` +
        `(version ${DATA_VERSION}). Use Roster ${writer} or newer to export it. No file was written.`,
    );
  }
  const records: Record<string, number> = {};
  for (const { collection } of Object.values(connection.models)) {
    records[collection.name] = await collection.countDocuments({}, { session });
  }
  return {
    rosterExport: FORMAT,
    release,
    createdAt: new Date().toISOString(),
    data: { version, readableFrom },
    records,
  };
}

async function* linesOf(
  connection: Connection,
  header: Header,
  session: ClientSession,
  progress: Progress,
): AsyncGenerator<string> {
  yield toLine(header);
  for (const { modelName, collection } of Object.values(connection.models)) {
    for await (const record of collection.find({}, { session, batchSize: BATCH })) {
      yield toLine({ collection: collection.name, record: { ...record, ...LEFT_OUT[modelName] } });
      progress.advance(1);
    }
  }
}

async function writeOutput(lines: AsyncGenerator<string>, signal: AbortSignal): Promise<void> {
  await pipeline(lines, process.stdout, { signal, end: false }).catch((cause: unknown) => {
    throw writeError(cause, signal, 'Standard output', 'The output is not complete.');
  });
}

/** Writes a file that only its owner can read. It is complete, and on the disk, before it gets its name. */
async function writeFile(file: string, lines: AsyncGenerator<string>, signal: AbortSignal): Promise<void> {
  const draft = `${file}.${randomBytes(4).toString('hex')}.part`;
  try {
    await pipeline(lines, createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }), { signal });
    await giveName(draft, file);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') throw existsAlready(file);
    throw writeError(cause, signal, file, 'No file was written.');
  } finally {
    await rm(draft, { force: true });
  }
}

/** The error as the operator reads it; one that is not about writing stays as it is. */
function writeError(cause: unknown, signal: AbortSignal, what: string, outcome: string): unknown {
  if (signal.aborted) return new StartError(`Stopped. ${outcome}`, { cause });
  if ((cause as NodeJS.ErrnoException).syscall === undefined) return cause;
  return new StartError(`${what} cannot be written: ${messageOf(cause)}. ${outcome}`, { cause });
}

/** Never replaces a file that has appeared in the meantime. */
async function giveName(draft: string, file: string): Promise<void> {
  await link(draft, file).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST' || existsSync(file)) throw error;
    // Some file systems have no links.
    await rename(draft, file);
  });
}

const existsAlready = (file: string): StartError => new StartError(`${file} exists already. Choose another name.`);
