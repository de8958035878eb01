import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { ClientSession, Connection } from 'mongoose';
import { StartError } from '../../platform/base/errors/start-error';
import { version as release } from '../../platform/base/settings/version';
import { DATA_VERSION } from '../../platform/records/start/data-version';
import { messageOf } from '../../platform/base/errors/message-of';
import { Progress, Screen } from '../progress';
import { Link } from '../../registry/links/link.schema';
import { User } from '../../registry/users/user.schema';
import { FORMAT, Header, toLine, totalOf } from './format';
import { inSnapshot } from './snapshot';

/** Records in memory at the same time: a File may have a MiB. */
const BATCH = 20;

/** The Models of an export. A link that was used would work again. */
const exported = ({ models }: Connection) => Object.values(models).filter(({ modelName }) => modelName !== Link.name);

/** Values that replace those of an export: sessions are left out. */
const LEFT_OUT: Readonly<Record<string, object>> = { [User.name]: { sessions: [] } };

/**
 * Writes a consistent snapshot of the records of the Models to a new file.
 * @throws StartError when the file exists or cannot be written, or it was stopped
 */
export async function exportData(
  connection: Connection,
  file: string,
  screen: Screen,
  signal: AbortSignal,
): Promise<void> {
  await inSnapshot(connection, async (session) => {
    const header = await headerOf(connection, session);
    const progress = new Progress(screen, 'Records', totalOf(header));
    await writeFile(file, linesOf(connection, header, session, progress), signal);
    progress.end(`${progress.total} exported`);
  });
}

async function headerOf(connection: Connection, session: ClientSession): Promise<Header> {
  const records: Record<string, number> = {};
  for (const { collection } of exported(connection)) {
    records[collection.name] = await collection.countDocuments({}, { session });
  }
  return {
    rosterExport: FORMAT,
    release,
    createdAt: new Date().toISOString(),
    data: { version: DATA_VERSION },
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
  for (const { modelName, collection } of exported(connection)) {
    for await (const record of collection.find({}, { session, batchSize: BATCH })) {
      yield toLine({ collection: collection.name, record: { ...record, ...LEFT_OUT[modelName] } });
      progress.advance(1);
    }
  }
}

/** Writes a file that only its owner can read. Its last bytes are on the disk when it is done. */
async function writeFile(file: string, lines: AsyncGenerator<string>, signal: AbortSignal): Promise<void> {
  try {
    await pipeline(lines, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }), { signal });
  } catch (cause) {
    const { code, syscall } = cause as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new StartError(`${file} exists already. Choose another name.`, { cause });
    if (syscall !== 'open') await rm(file, { force: true });
    signal.throwIfAborted();
    if (syscall === undefined) throw cause;
    throw new StartError(`${file} cannot be written: ${messageOf(cause)}. No file was written.`, { cause });
  }
}
