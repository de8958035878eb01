import { letterOf, type Line, type Table } from './read-csv.ts';
import { ERROR_CELL, unmarked } from './safe-cell.ts';
import type { BodyName, BodySchema } from './schemas.ts';

/** The column of APIs that names their Organization. It makes a file one of APIs, or of Consumers. */
export const OWNER = 'organization';
/** The columns of Consumers that name the Organization that uses an API, which makes a file one of Consumers, and the API. */
export const CONSUMER = 'consumer';
export const API = 'api';
/** The columns that say where a row belongs, by its body. */
export const PLACE: Record<BodyName, string[]> = {
  OrganizationInput: [],
  ApiInput: [OWNER],
  UpdateApiConsumerInput: [CONSUMER, OWNER, API],
};
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

/** The body of the rows, by the first of these columns that the file has. */
export function bodyNameOf(header: string[]): BodyName {
  const has = (column: string) => header.some((name) => keyOf(name) === column);
  return has(CONSUMER) ? 'UpdateApiConsumerInput' : has(OWNER) ? 'ApiInput' : 'OrganizationInput';
}

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
  const isConsumer = schema.name === 'UpdateApiConsumerInput';
  const fields = [...PLACE[schema.name], ...schema.columns, ...(isConsumer ? [] : [ID, ETAG])];
  const known = new Map([...fields, REFUSED].map((name) => [keyOf(name), name]));
  const unknown = header.filter((name) => keyOf(name) !== '' && !known.has(keyOf(name)));
  if (unknown.length > 0) {
    const names = unknown.map((name) => `"${name}"`).join(', ');
    const hint = schema.name === 'OrganizationInput' ? ` For APIs, add the column ${OWNER}.` : '';
    throw new Error(
      `the unknown ${unknown.length > 1 ? 'columns' : 'column'} ${names}. Known are: ${fields.join(', ')}. Rename it, or add --map ${names.split(', ')[0]}=….${hint}`,
    );
  }
  const columns = header.map((name) => known.get(keyOf(name)) ?? '');
  const twice = columns.find((name, index) => name !== '' && columns.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`two columns with the name "${twice}".`);
  const missing = (isConsumer ? PLACE[schema.name] : ['name']).find((name) => !columns.includes(name));
  if (missing !== undefined) throw new Error(`no column ${missing}; its first row must name the columns.`);
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
