/**
 * Brings a spreadsheet into Roster: creates the Organizations, the APIs or the Consumers of a CSV file, and updates those
 * that differ. Without `--apply` it writes nothing: it counts what it would do, and lists what is refused; `--verbose` lists
 * the other rows too. `--refused` puts the refused rows into a file. `--map provider=organization` takes a column of another
 * name. See examples/csv in the root of the repository.
 *
 * ROSTER is the address of Roster, and ROSTER_KEY an API key.
 *
 * The exit code is 0, 1 if rows were refused, or 2 if the file cannot be imported, or not to its end.
 */
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { RosterClient } from '@roster/client';
import { access } from './access.ts';
import { dryRun, dryRunOfConsumers } from './dry-run.ts';
import { readCsv } from './read-csv.ts';
import { visible } from './refusal.ts';
import { RefusedFile } from './refused-file.ts';
import { Report } from './report.ts';
import { bodyNameOf, columnsOf, OWNER, renamed, rowsOf } from './rows.ts';
import { saveConsumers } from './save-consumers.ts';
import { readRegistry, saveRows } from './save-rows.ts';
import { BodySchema } from './schemas.ts';

const USAGE =
  'npm run import:csv -- <file.csv> [--apply] [--verbose] [--refused <file.csv>] [--map <its column>=<column of Roster>]';
const OPTIONS = {
  apply: { type: 'boolean' },
  verbose: { type: 'boolean' },
  refused: { type: 'string' },
  map: { type: 'string', multiple: true },
} as const;

try {
  process.exitCode = await main();
} catch (error) {
  const { message, cause } = error as Error;
  const sentence = cause instanceof Error ? `${message} (${cause.message})` : message;
  console.error(sentence.split('\n').map(visible).join('\n'));
  process.exitCode = 2;
}

/** @returns the exit code */
async function main(): Promise<number> {
  const { positionals, values } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) throw new Error(`Name one file: ${USAGE}`);
  const options = access();
  const table = readCsv(file);
  const header = renamed(table.header, values.map ?? []);
  const body = new BodySchema(bodyNameOf(header));
  const columns = named(file, header, body);
  if (values.refused !== undefined && resolve(values.refused) === resolve(file))
    throw new Error('--refused must name another file than the one to import.');
  const reader = new RosterClient(options);
  const { data: account } = await reader.get('/users/{id}', { params: { path: { id: 'me' } } });
  const registry = await readRegistry(reader, body);
  const refused = values.refused === undefined ? undefined : new RefusedFile(values.refused, table, columns);
  if (body.name === 'OrganizationInput')
    console.log(
      `These are Organizations. With a column ${OWNER}, they would be APIs of the Organizations that it names.`,
    );
  const isConsumer = body.name === 'UpdateApiConsumerInput';
  const dry = (isConsumer ? dryRunOfConsumers : dryRun)(body, account, registry);
  const roster = values.apply ? reader : new RosterClient({ ...options, fetch: dry });
  const report = new Report({ isDry: !values.apply, isVerbose: values.verbose === true }, refused);
  try {
    const save = isConsumer ? saveConsumers : saveRows;
    for await (const [row, result] of save(roster, registry, body, rowsOf(table, columns))) report.add(row, result);
  } finally {
    report.end();
  }
  return report.counts.refused > 0 ? 1 : 0;
}

/** The names of the columns. */
function named(file: string, header: string[], body: BodySchema): string[] {
  try {
    return columnsOf(header, body);
  } catch (error) {
    throw new Error(`${basename(file)} has ${(error as Error).message}`);
  }
}
