import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { CsvError, parse } from 'csv-parse/sync';

/** A row of a spreadsheet. */
export interface Line {
  /** As spreadsheets count: the row with the names of the columns is 1. */
  number: number;
  /** Its cells, in the order of the columns. */
  values: string[];
  /** Why the row cannot be read. */
  problem?: string;
}

/** The rows of a CSV file that are not empty. */
export interface Table {
  header: string[];
  lines: Line[];
  delimiter: string;
}

const LINE_FEED = 0x0a;
const HOW_TO_SAVE =
  'In Excel, save it as "CSV UTF-8"; in LibreOffice as "Text CSV" with the character set "Unicode (UTF-8)".';

/**
 * Reads a CSV file, whose first row has the names of the columns. The separator is what a first line `sep=;` says, otherwise
 * the first `;`, tab or `,` of the first row. Line ends may be LF, CR LF or CR.
 *
 * @throws Error if the file cannot be read, is not in UTF-8, or has a first row that cannot be read
 */
export function readCsv(file: string): Table {
  const text = textOf(file).replace(/\r\n?/g, '\n');
  const [hint = '', hinted] = /^"?sep=([^"\n])"?\n/i.exec(text) ?? [];
  const rows = text.slice(hint.length);
  const delimiter = hinted ?? /^[^\n]*?([;\t,])/.exec(rows)?.[1] ?? ',';
  const [header, ...lines] = linesOf(Buffer.from(rows), delimiter);
  if (header?.problem) throw new Error(`${basename(file)}, row 1: ${header.problem}.`);
  const names = header?.values ?? [];
  return { header: names, delimiter, lines: lines.filter(({ values }) => values.some(Boolean)) };
}

/** The letters by which spreadsheets name a column. */
export function letterOf(index: number): string {
  return (index < 26 ? '' : letterOf(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26));
}

/** Without a byte order mark. */
function textOf(file: string): string {
  if (!existsSync(file)) throw new Error(`${file} does not exist.`);
  const bytes = readFileSync(file);
  const document = documentOf(bytes);
  if (document !== undefined) throw new Error(`${basename(file)} is ${document}, not CSV. ${HOW_TO_SAVE}`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error(`${basename(file)} is not in UTF-8. ${HOW_TO_SAVE}`);
  }
}

/** What spreadsheet programs save unless they are asked for CSV, by its first bytes. */
function documentOf(bytes: Buffer): string | undefined {
  const start = bytes.toString('latin1', 0, 100);
  if (start.startsWith('\xd0\xcf\x11\xe0')) return 'an Excel workbook (.xls)';
  if (!start.startsWith('PK\x03\x04')) return undefined;
  return start.includes('opendocument') ? 'a LibreOffice spreadsheet (.ods)' : 'an Excel workbook (.xlsx)';
}

/** All rows. After one whose quotation marks do not match, it goes on in the line after the cell that has the first of them. */
function linesOf(bytes: Buffer, delimiter: string): Line[] {
  const lines: Line[] = [];
  let broken: number | undefined;
  for (let start = 0; start < bytes.length;) {
    const { records, error, end } = parsed(bytes.subarray(start), delimiter);
    for (const values of records) {
      const number = lines.length + 1;
      const isRest = broken !== undefined && values.some(Boolean) && values.length !== lines[0]!.values.length;
      const problem = `it has not one cell for each column, and may be the rest of row ${broken}`;
      lines.push(isRest ? { number, values, problem } : { number, values });
    }
    if (!error) break;
    broken = lines.length + 1;
    const next = bytes.indexOf(LINE_FEED, start + (error.bytes as number));
    const lineEnd = next === -1 ? bytes.length : next;
    const text = bytes
      .subarray(start + end, lineEnd)
      .toString()
      .replaceAll('\n', ' ');
    const [values = []] = parse(text, { delimiter, trim: true, quote: null });
    const column = letterOf(error.column as number);
    lines.push({ number: broken, values, problem: `column ${column} has a quotation mark too many or too few` });
    start = lineEnd + 1;
  }
  return lines;
}

/** The records up to the first error, and where the last of them ends. */
function parsed(bytes: Buffer, delimiter: string): { records: string[][]; error?: CsvError; end: number } {
  const records: string[][] = [];
  let end = 0;
  const add = (record: string[], { bytes: until }: { bytes: number }) => {
    records.push(record);
    end = until;
    return null;
  };
  try {
    parse(bytes, { delimiter, record_delimiter: '\n', relax_column_count: true, trim: true, on_record: add });
    return { records, end };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { records, error, end };
  }
}
