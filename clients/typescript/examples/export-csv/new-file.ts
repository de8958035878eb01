import { randomBytes } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { link, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify/sync';

/** @throws Error if the file exists */
export function requireNew(file: string): void {
  if (existsSync(file)) throw existsAlready(file);
}

/**
 * Writes rows to a new CSV file that only its owner can read, which gets its name when it is complete.
 *
 * @param rows the first has the names of the columns
 * @returns the number of the others
 * @throws Error if the file exists or cannot be written; whatever `rows` throws
 */
export async function createFile(
  file: string,
  rows: AsyncIterable<string[]>,
  delimiter: string,
  signal: AbortSignal,
): Promise<number> {
  const draft = `${file}.${randomBytes(4).toString('hex')}.part`;
  let count = -1;
  async function* lines() {
    // Excel takes a file without a byte order mark for one that is not in UTF-8.
    yield '\ufeff';
    for await (const row of rows) {
      count++;
      // Some spreadsheets split rows at several separators, and would run a part of a text as a formula.
      yield stringify([row], { delimiter, quoted_match: /[\r\n,;\t]/ });
    }
  }
  try {
    await pipeline(lines, createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }), { signal });
    await giveName(draft, file);
    return count;
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw existsAlready(file);
    if (syscall === undefined || signal.aborted) throw error;
    throw new Error(`${file} cannot be written: ${message}. No file was written.`);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Never replaces a file that has appeared in the meantime. */
async function giveName(draft: string, file: string): Promise<void> {
  await link(draft, file).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST' || existsSync(file)) throw error;
    // Some file systems have no links.
    await rename(draft, file);
  });
}

function existsAlready(file: string): Error {
  return new Error(`${file} exists already. Choose another name, or delete it first.`);
}
