import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection } from 'mongoose';
import { exportData } from '../../../src/commands/export-import/export-data';
import { importData, ImportOptions, ImportResult } from '../../../src/commands/export-import/import-data';
import { Progress } from '../../../src/commands/progress';
import { onDatabase } from '../../support/connection';
import { Paper } from '../../support/paper';
import { testFolder } from '../../support/run-folder';
import type { Service } from '../../support/service';

const never = new AbortController().signal;

/** Calls it when the next export or import has done its first records. */
export function atFirstRecords(work: () => void): void {
  const { advance } = Progress.prototype;
  jest.spyOn(Progress.prototype, 'advance').mockImplementationOnce(function (this: Progress, count) {
    advance.call(this, count);
    work();
  });
}

/** Exports a service's records to a new file. */
export async function exported(service: Pick<Service, 'connection'>): Promise<string> {
  const file = join(testFolder(), 'roster.jsonl');
  await exportData(service.connection, file, new Paper(), never);
  return file;
}

/** Imports a file into the database of this address. */
export async function imported(
  service: Service,
  uri: string,
  file: string,
  options: Partial<ImportOptions> = {},
): Promise<ImportResult & { report: string }> {
  const [report, progress] = [new Paper(), new Paper()];
  const output = { report, progress };
  const fixed = { file, keep: false, output, signal: never };
  const work = (connection: Connection): Promise<ImportResult> => importData(connection, { ...fixed, ...options });
  const result = await onDatabase(uri, work, service);
  return { ...result, report: report.text };
}

/** A copy of an export with other lines. */
export function edited(file: string, edit: (lines: string[]) => string[] | Buffer): string {
  const copy = join(testFolder(), 'edited.jsonl');
  const changed = edit(readFileSync(file, 'utf8').trimEnd().split('\n'));
  writeFileSync(copy, Array.isArray(changed) ? `${changed.join('\n')}\n` : changed);
  return copy;
}

/** What a database has, by collection: nothing if it is empty. */
export async function documentsIn(uri: string): Promise<Record<string, unknown[]>> {
  return onDatabase(uri, async (connection) => {
    const all: Record<string, unknown[]> = {};
    for (const { name } of await connection.db!.listCollections().toArray()) {
      const documents = await connection.collection(name).find().sort({ _id: 1 }).toArray();
      if (documents.length > 0) all[name] = documents;
    }
    return all;
  });
}
