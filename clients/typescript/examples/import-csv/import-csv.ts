/**
 * Brings a spreadsheet into Roster: creates the Organizations or the APIs of a CSV file, and updates those that differ.
 * Without `--apply` it writes nothing, and says what it would do. See examples/csv in the root of the repository.
 *
 *     ROSTER=https://roster.example ROSTER_KEY=roster_… node import-csv.ts organizations.csv
 *
 * The exit code is 0, 1 if rows were refused, or 2 if the file cannot be imported.
 */
import { basename } from 'node:path';
import { env } from 'node:process';
import { parseArgs } from 'node:util';
import { RosterClient } from '@roster/client';
import { readCsv } from './read-csv.ts';
import { OWNER, type Result, saveRows } from './save-rows.ts';
import { BodySchema } from './schemas.ts';

const USAGE = 'npm run import:csv -- <organizations.csv or apis.csv> [--apply]';
const WOULD = { created: 'would be created', updated: 'would be updated', unchanged: 'unchanged', refused: 'refused' };

try {
  process.exitCode = await main();
} catch (error) {
  const { message, cause } = error as Error;
  console.error(cause instanceof Error ? `${message} (${cause.message})` : message);
  process.exitCode = 2;
}

/** @returns the exit code */
async function main(): Promise<number> {
  const { positionals, values } = parseArgs({ options: { apply: { type: 'boolean' } }, allowPositionals: true });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) throw new Error(`Name one file: ${USAGE}`);
  const { ROSTER: baseUrl = 'http://127.0.0.1:3000', ROSTER_KEY: key } = env;
  if (!key) throw new Error('ROSTER_KEY is not set; it must be an API key (roster_…).');
  if (!URL.canParse(baseUrl)) throw new Error('ROSTER must be an http or https URL.');
  const { columns, rows } = readCsv(file);
  const body = new BodySchema(columns.includes(OWNER) ? 'ApiInput' : 'OrganizationInput');
  checkColumns(basename(file), columns, body);
  const words: Record<Result['outcome'], string> = values.apply
    ? { ...WOULD, created: 'created', updated: 'updated' }
    : WOULD;
  const fetch = (request: Request) => (values.apply ? globalThis.fetch(request) : pretend(request, body));
  const roster = new RosterClient({ baseUrl, key, retries: 10, fetch });
  const counts = { created: 0, updated: 0, unchanged: 0, refused: 0 };
  for await (const [{ number, cells }, { outcome, detail }] of saveRows(roster, body, rows)) {
    counts[outcome]++;
    const name = [cells[OWNER], cells.name].filter(Boolean).join(': ').replace(/\s+/g, ' ');
    console.log(`row ${number}: ${words[outcome]}: ${[name, detail && `(${detail})`].filter(Boolean).join(' ')}`);
  }
  const totals = (Object.keys(counts) as Result['outcome'][]).map((outcome) => `${counts[outcome]} ${words[outcome]}`);
  console.log(`${totals.join(', ')}.${values.apply ? '' : ' Nothing was written; --apply writes.'}`);
  return counts.refused > 0 ? 1 : 0;
}

function checkColumns(file: string, columns: string[], body: BodySchema): void {
  const known = [...(body.name === 'ApiInput' ? [OWNER] : []), ...body.columns];
  const unknown = columns.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    const names = unknown.map((name) => `"${name}"`).join(', ');
    throw new Error(
      `${file} has the unknown ${unknown.length > 1 ? 'columns' : 'column'} ${names}. Known are: ${known.join(', ')}.`,
    );
  }
  if (!columns.includes('name')) throw new Error(`${file} has no column name; its first row must name the columns.`);
}

/** The dry run: passes on what only reads. A write gets the response of Roster if that finds nothing wrong in the fields. */
async function pretend(request: Request, schema: BodySchema): Promise<Response> {
  if (request.method === 'GET') return globalThis.fetch(request);
  const body = (await request.json()) as object;
  const errors = schema.fieldErrorsOf(body);
  if (errors.length > 0) return Response.json({ status: 'fail', code: 1024, message: errors }, { status: 400 });
  return Response.json({ status: 'success', data: { _id: '', ...body } });
}
