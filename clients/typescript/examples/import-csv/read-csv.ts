import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parse } from 'csv-parse/sync';

/** A row of a spreadsheet. */
export interface Row {
  /** As spreadsheets count: the row with the names of the columns is 1. */
  number: number;
  /** Its cells that are not empty, by column. */
  cells: Record<string, string>;
  /** Whether it has a cell to the right of all columns, as a row with a quotation mark too few has. */
  isTooLong: boolean;
}

/**
 * Reads a CSV file, whose first row has the names of the columns. The separator is `;` if that row has one, otherwise `,`.
 *
 * @throws Error if the file cannot be read, is not in UTF-8, has no rows, or names a column twice
 */
export function readCsv(file: string): { columns: string[]; rows: Row[] } {
  const [header = [], ...rest] = recordsOf(file);
  const columns = header.map((name) => name.trim());
  const last = columns.findLastIndex((name) => name !== '');
  const named = columns.slice(0, last + 1);
  const twice = named.find((name, index) => named.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${basename(file)} has two columns with the name "${twice}".`);
  const rows = rest.map((cells, index) => rowOf(named, cells, index + 2));
  return { columns: named, rows: rows.filter(({ cells, isTooLong }) => isTooLong || Object.keys(cells).length > 0) };
}

function recordsOf(file: string): string[][] {
  const text = textOf(file);
  const delimiter = /^[^\n]*;/.test(text) ? ';' : ',';
  try {
    return parse(text, { delimiter, relax_column_count: true });
  } catch (error) {
    throw new Error(`${basename(file)}: ${(error as Error).message}`);
  }
}

/** Without a byte order mark. */
function textOf(file: string): string {
  if (!existsSync(file)) throw new Error(`${file} does not exist.`);
  const bytes = readFileSync(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error(`${basename(file)} is not in UTF-8. In Excel, save it as "CSV UTF-8".`);
  }
}

function rowOf(columns: string[], values: string[], number: number): Row {
  const [inside, outside] = [values.slice(0, columns.length), values.slice(columns.length)];
  const cells = inside.map((value, index) => [columns[index], value.trim().replaceAll('\r\n', '\n')] as const);
  return {
    number,
    cells: Object.fromEntries(cells.filter(([, value]) => value !== '')) as Record<string, string>,
    isTooLong: outside.some((value) => value.trim() !== ''),
  };
}
