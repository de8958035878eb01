import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { mongo } from 'mongoose';
import { StartError } from '../../platform/base/errors/start-error';
import { DATA_VERSION, tooNew } from '../../platform/records/start/data-version';
import { messageOf } from '../../platform/base/errors/message-of';
import { BrokenLine, FORMAT, Header, RecordLine, STREAM } from './format';

const CHUNK = 1024 * 1024;

/** Longest line (bytes): MongoDB stores at most 16 MiB per record. */
const MAX_LINE = 32 * 1024 * 1024;

/** A parsed line of the file, and its number from 1. */
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

/**
 * Opens a file, or standard input for `-`.
 *
 * @throws StartError when it cannot be read, or is no export of these collections that this release can import
 */
export async function openExport(path: string, collections: ReadonlySet<string>): Promise<ExportFile> {
  const input = path === STREAM ? process.stdin : createReadStream(path, { highWaterMark: CHUNK });
  const file = path === STREAM ? 'Standard input' : path;
  const lines = readLines(input);
  const first = await lines.next().catch((cause: unknown) => {
    if (cause instanceof StartError) throw cause;
    throw new StartError(`${file} cannot be read: ${messageOf(cause)}. Nothing was imported.`, { cause });
  });
  const header = readHeader(first.done ? undefined : first.value.value, file);
  for (const name of Object.keys(header.records)) {
    if (collections.has(name)) continue;
    const advice = `Use Roster ${header.release}, which wrote it, or newer. Nothing was imported.`;
    throw new StartError(`${file} has records of "${name}", which this release does not know. ${advice}`);
  }
  return { header, records: readRecords(lines, header) };
}

function readHeader(value: unknown, file: string): Header {
  const header = value as Partial<Header> | undefined;
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
  for await (const { line, bytes, value } of lines) {
    last = line;
    const { collection, record } = (value ?? {}) as Partial<RecordLine>;
    const isRecord = typeof record === 'object' && record !== null && '_id' in record;
    if (typeof collection !== 'string' || !isRecord) throw new BrokenLine(last, 'is not a record');
    if (!Object.hasOwn(counts, collection)) {
      throw new BrokenLine(last, `is a record of "${collection}", which the first line does not name`);
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
async function* readLines(input: Readable): AsyncGenerator<Line> {
  let line = 1;
  let rest = '';
  // One character per byte: a chunk may end within one of UTF-8.
  const chunks: AsyncIterable<string> = input.setEncoding('latin1');
  for await (const chunk of chunks) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop()!;
    for (const text of lines) yield parse(line++, text);
    if (rest.length > MAX_LINE) throw new BrokenLine(line, 'is too long for a record');
  }
  if (rest !== '') yield parse(line, rest);
}

/** Without the message of the parser, which has a part of the line: that may be a password hash. */
function parse(line: number, text: string): Line {
  const bytes = Buffer.from(text, 'latin1');
  if (!isUtf8(bytes)) throw new BrokenLine(line, 'is not UTF-8 text');
  try {
    return { line, bytes: bytes.length, value: mongo.BSON.EJSON.parse(bytes.toString(), { relaxed: true }) };
  } catch {
    throw new BrokenLine(line, 'is not valid JSON, or not complete');
  }
}
