import { createReadStream } from 'node:fs';
import { type Connection, mongo } from 'mongoose';
import { StartError } from '../../platform/base/errors/start-error';
import { DATA_VERSION, versionsOf } from '../../platform/records/start/data-version';
import { messageOf } from '../../platform/base/errors/message-of';
import { BrokenLine, FORMAT, Header, RecordLine } from './format';

const CHUNK = 1024 * 1024;

/** A parsed line of the file, its number from 1, and its bytes. */
interface Line {
  readonly line: number;
  readonly bytes: number;
  readonly value: unknown;
}

/** A record of the file, with what errors and limits need. */
export type ReadRecord = RecordLine & Omit<Line, 'value'>;

/** An export that is being read. */
export interface ExportFile {
  readonly header: Header;
  /** Ends with a BrokenLine if there are not as many as the header says. */
  readonly records: AsyncGenerator<ReadRecord>;
}

/** @throws StartError when the file cannot be read, or is no export that this release can import */
export async function openExport(file: string, connection: Connection): Promise<ExportFile> {
  const lines = readLines(file);
  const first = await lines.next().catch((cause: unknown) => {
    if (cause instanceof StartError) throw cause;
    throw new StartError(`${file} cannot be read: ${messageOf(cause)}. Nothing was imported.`, { cause });
  });
  const header = readHeader(first.done ? undefined : first.value.value, file);
  const known = Object.values(connection.models).map(({ collection }) => collection.name);
  const unknown = Object.keys(header.records).find((name) => !known.includes(name));
  if (unknown === undefined) return { header, records: readRecords(lines, header) };
  const problem = `has records of "${unknown}", which this release does not know`;
  throw new StartError(`${file} ${problem}. Use Roster ${header.release} or newer. Nothing was imported.`);
}

function readHeader(value: unknown, file: string): Header {
  const { rosterExport: format, release, data, records } = (value ?? {}) as Partial<Header>;
  if (format === undefined || !data || !records) {
    throw new BrokenLine(1, `of ${file} is not the first line of a file that npm run export wrote`);
  }
  if ((format as number) !== FORMAT) {
    const problem = `has version ${format} of the format; this release reads version ${FORMAT}`;
    throw new StartError(`${file} ${problem}. Use Roster ${String(release)} or newer. Nothing was imported.`);
  }
  if (data.version > DATA_VERSION) {
    const advice = `Use Roster ${String(release)} or newer. Nothing was imported.`;
    throw new StartError(`${versionsOf(file, { ...data, release })} ${advice}`);
  }
  return value as Header;
}

async function* readRecords(lines: AsyncGenerator<Line>, { records }: Header): AsyncGenerator<ReadRecord> {
  const counts = Object.fromEntries(Object.keys(records).map((name) => [name, 0]));
  let last = 1;
  for await (const { line, bytes, value } of lines) {
    last = line;
    const { collection = '', record } = (value ?? {}) as Partial<RecordLine>;
    if (!Object.hasOwn(counts, collection) || record?._id === undefined) {
      throw new BrokenLine(line, 'is not a record of a collection that the first line names');
    }
    counts[collection]! += 1;
    yield { collection, record, line, bytes };
  }
  for (const [name, count] of Object.entries(counts)) {
    if (count === records[name]) continue;
    const problem = `is the last one, but the file has ${count} instead of ${records[name]} records of ${name}`;
    throw new BrokenLine(last, problem);
  }
}

/** Reads line by line. (`readline` reads up to 1,024 lines ahead, however long they are.) */
async function* readLines(file: string): AsyncGenerator<Line> {
  let line = 1;
  let rest = '';
  // One character per byte: a chunk may end within one of UTF-8.
  const chunks: AsyncIterable<string> = createReadStream(file, { encoding: 'latin1', highWaterMark: CHUNK });
  for await (const chunk of chunks) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop()!;
    for (const text of lines) yield parse(line++, text);
  }
  if (rest !== '') yield parse(line, rest);
}

/** Without the message of the parser, which has a part of the line: that may be a password hash. */
function parse(line: number, text: string): Line {
  try {
    const json = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'));
    return { line, bytes: text.length, value: mongo.BSON.EJSON.parse(json, { relaxed: true }) };
  } catch {
    throw new BrokenLine(line, 'is not valid JSON in UTF-8, or not complete');
  }
}
