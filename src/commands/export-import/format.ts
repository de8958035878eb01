import { mongo } from 'mongoose';
import { StartError } from '../../platform/base/errors/start-error';
import type { DataVersion } from '../../platform/records/start/data-version';

/** The version of the format. A file with another one cannot be imported. */
export const FORMAT = 1;

/** The first line of an export (docs/adr/0020). */
export interface Header {
  readonly rosterExport: typeof FORMAT;
  readonly release: string;
  readonly createdAt: string;
  readonly data: Pick<DataVersion, 'version'>;
  /** Numbers of the records that follow, by collection. */
  readonly records: Readonly<Record<string, number>>;
}

/** Every other line. */
export interface RecordLine {
  readonly collection: string;
  readonly record: Readonly<Record<string, unknown>>;
}

/** A line that cannot be imported. */
export class BrokenLine extends StartError {
  constructor(line: number, problem: string) {
    super(`Line ${line} ${problem}. Export again, or use another file. Nothing was imported.`);
  }
}

/** A line of the file: JSON, with MongoDB's Extended JSON for the types that JSON lacks. */
export function toLine(value: Header | RecordLine): string {
  return `${mongo.BSON.EJSON.stringify(value, { relaxed: true })}\n`;
}

/** The number of records that follow a header. */
export function totalOf({ records }: Header): number {
  return Object.values(records).reduce((sum, count) => sum + count, 0);
}
