import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { BrokenLine } from './format';

/** Bytes per read of the file. */
const CHUNK = 1024 * 1024;

/** Longest line (bytes): MongoDB stores at most 16 MiB per record. */
const MAX_LINE = 32 * 1024 * 1024;

const NEWLINE = 0x0a;

/** A line of the file, and its number from 1. */
export interface Line {
  readonly number: number;
  readonly text: string;
}

/**
 * Reads the lines of a file one after the other. (`readline` reads up to 1,024 lines ahead, however long they are.)
 *
 * @throws BrokenLine for a line that is not UTF-8, or too long; the error of the file system
 */
export async function* readLines(file: string): AsyncGenerator<Line> {
  let number = 1;
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK }) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      yield toLine(number, [...parts, chunk.subarray(start, end)]);
      number += 1;
      [parts, length, start] = [[], 0, end + 1];
    }
    parts.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > MAX_LINE) throw new BrokenLine(number, 'is too long for a record');
  }
  if (length > 0) yield toLine(number, parts);
}

function toLine(number: number, parts: readonly Buffer[]): Line {
  const bytes = Buffer.concat(parts);
  if (!isUtf8(bytes)) throw new BrokenLine(number, 'is not UTF-8 text');
  return { number, text: bytes.toString() };
}
