import { letterOf, type Line, type Table } from './read-csv.ts';
import { ERROR_CELL, unmarked } from './safe-cell.ts';
import type { BodySchema } from './schemas.ts';

/** The column of APIs that has the name or the slug of their Organization. It makes a file one of APIs. */
export const OWNER = 'organization';
/** The column that has the id of a record, which a row may have: then it is that record, whatever its name is. */
export const ID = '_id';
/** The column that has the version of the record at the time of the export: then only what differs from it is written. */
export const ETAG = 'etag';
/** The column of a file of refused rows that says why; it is not read. */
export const REFUSED = 'refused';

/** A row of a spreadsheet: its cells that are not empty, by column. */
export interface Row extends Line {
  /** The columns that it has cells for, also empty ones. */
  columns: string[];
  cells: Record<string, string>;
}

/** Whether the rows are APIs. */
export const hasOwner = (header: string[]): boolean => header.some((name) => keyOf(name) === OWNER);

/** The names of the columns, those of `--map` as it says: `provider=organization`. @throws Error if they have none of it */
export function renamed(header: string[], maps: string[]): string[] {
  const names = new Map<string, string>();
  for (const map of maps) {
    const [, from = '', to] = /^(.+)=(.+)$/s.exec(map) ?? [];
    if (to === undefined) throw new Error(`--map must be <column of the file>=<column of Roster>, and not "${map}".`);
    if (!header.some((name) => keyOf(name) === keyOf(from)))
      throw new Error(`The file has no column "${from}" to map.`);
    names.set(keyOf(from), to);
  }
  return header.map((name) => names.get(keyOf(name)) ?? name);
}

/**
 * The names of the columns as Roster writes them, without regard to case and blanks; empty for those without a name.
 *
 * @throws Error that names columns which are unknown or stand twice
 */
export function columnsOf(header: string[], schema: BodySchema): string[] {
  const fields = [...(schema.name === 'ApiInput' ? [OWNER] : []), ...schema.columns, ID, ETAG];
  const known = new Map([...fields, REFUSED].map((name) => [keyOf(name), name]));
  const unknown = header.filter((name) => keyOf(name) !== '' && !known.has(keyOf(name)));
  if (unknown.length > 0) {
    const names = unknown.map((name) => `"${name}"`).join(', ');
    const hint = schema.name === 'ApiInput' ? '' : ` For APIs, add the column ${OWNER}.`;
    throw new Error(
      `the unknown ${unknown.length > 1 ? 'columns' : 'column'} ${names}. Known are: ${fields.join(', ')}. Rename it, or add --map ${names.split(', ')[0]}=….${hint}`,
    );
  }
  const columns = header.map((name) => known.get(keyOf(name)) ?? '');
  const twice = columns.find((name, index) => name !== '' && columns.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`two columns with the name "${twice}".`);
  if (!columns.includes('name')) throw new Error('no column name; its first row must name the columns.');
  return columns;
}

/** The rows that have a value. */
export function rowsOf({ lines }: Table, columns: string[]): Row[] {
  const rows = lines.map((line): Row => {
    const values = line.values.map((value, index) => [columns[index] ?? '', value, letterOf(index)] as const);
    const given = values.filter(([name, value]) => value !== '' && name !== REFUSED);
    const wrong = given.flatMap(([name, value, letter]) => {
      if (name === '') return [`column ${letter} has a value, but no name`];
      return ERROR_CELL.test(value) ? [`${name} has the error ${value} of the spreadsheet`] : [];
    });
    const named = given.filter(([name]) => name !== '');
    const cells = Object.fromEntries(named.map(([name, value]) => [name, unmarked(value)]));
    const problem = line.problem ?? wrong[0];
    const has = columns.slice(0, line.values.length);
    return { ...line, columns: has, cells, ...(problem !== undefined && { problem }) };
  });
  return rows.filter(({ cells, problem }) => problem !== undefined || Object.keys(cells).length > 0);
}

function keyOf(name: string): string {
  return name.replace(/[\s_-]/g, '').toLowerCase();
}
