import { mongo } from 'mongoose';
import { StartError } from '../../config/start-error';
import { DATA_VERSION, tooNew } from '../../database/migrations/data-version';
import { messageOf } from '../../errors/message-of';
import { BrokenLine, FORMAT, Header, RecordLine } from './format';
import { Line, readLines } from './read-lines';

/** A record of the file, with what errors and limits need. */
export interface ReadRecord extends RecordLine {
  readonly line: number;
  /** Line length in characters. */
  readonly length: number;
}

/** An export that this release can import. */
export interface ExportFile {
  readonly header: Header;
  /** Ends with a BrokenLine if there are not as many as the header says. */
  readonly records: AsyncGenerator<ReadRecord>;
}

/**
 * Opens an export and checks its header.
 *
 * @param collections that this release knows
 * @throws StartError when the file cannot be read, or is no export that this release can import
 */
export async function openExport(file: string, collections: ReadonlySet<string>): Promise<ExportFile> {
  const lines = readLines(file);
  const first = await lines.next().catch((cause: unknown) => {
    if (cause instanceof StartError) throw cause;
    throw new StartError(`${file} cannot be read: ${messageOf(cause)}. Nothing was imported.`, { cause });
  });
  const header = readHeader(first.done ? undefined : first.value, file);
  for (const name of Object.keys(header.records)) {
    if (collections.has(name)) continue;
    const advice = `Use Roster ${header.release}, which wrote it, or newer. Nothing was imported.`;
    throw new StartError(`${file} has records of "${name}", which this release does not know. ${advice}`);
  }
  return { header, records: readRecords(lines, header) };
}

function readHeader(line: Line | undefined, file: string): Header {
  const header = (line && parse(line)) as Partial<Header> | undefined;
  if (typeof header?.rosterExport !== 'number') {
    throw new BrokenLine(1, `of ${file} is not the first line of a file that npm run export wrote`);
  }
  const { rosterExport: format, release, data, records } = header;
  if ((format as number) !== FORMAT) {
    const advice = `Use Roster ${String(release)}, which wrote it, or newer. Nothing was imported.`;
    throw new StartError(
      `${file} has version ${format} of the format; this release reads version ${FORMAT}. ${advice}`,
    );
  }
  const isComplete = [data?.version, data?.readableFrom, ...Object.values(records ?? { none: undefined })].every(
    (number) => Number.isSafeInteger(number),
  );
  if (!isComplete) throw new BrokenLine(1, 'does not say the version of the data, and how many records follow');
  if (data!.readableFrom > DATA_VERSION) throw new StartError(tooNew(file, { ...data!, release }));
  return header as Header;
}

async function* readRecords(lines: AsyncGenerator<Line>, { records }: Header): AsyncGenerator<ReadRecord> {
  const counts = Object.fromEntries(Object.keys(records).map((name) => [name, 0]));
  let last = 1;
  for await (const line of lines) {
    last = line.number;
    const { collection, record } = (parse(line) ?? {}) as Partial<RecordLine>;
    const isRecord = typeof record === 'object' && record !== null && '_id' in record;
    if (typeof collection !== 'string' || !isRecord) throw new BrokenLine(last, 'is not a record');
    if (!Object.hasOwn(counts, collection)) {
      throw new BrokenLine(last, `is a record of "${collection}", which the first line does not name`);
    }
    counts[collection]! += 1;
    yield { collection, record, line: last, length: line.text.length };
  }
  for (const [name, count] of Object.entries(counts)) {
    if (count === records[name]) continue;
    const problem = `is the last one, but the file has ${count} instead of ${records[name]} records of ${name}`;
    throw new BrokenLine(last, problem);
  }
}

/** Without the message of the parser, which has a part of the line: that may be a password hash. */
function parse({ number, text }: Line): unknown {
  try {
    return mongo.BSON.EJSON.parse(text, { relaxed: true });
  } catch {
    throw new BrokenLine(number, 'is not valid JSON, or not complete');
  }
}
