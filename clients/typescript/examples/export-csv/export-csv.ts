/**
 * Writes the APIs, the Organizations or the Consumers that an account may read to a new CSV file, with the columns that
 * import-csv takes: `npm run import:csv` brings in what you edit in a spreadsheet, and changes nothing else. See
 * examples/csv in the root of the repository.
 *
 * ROSTER is the address of Roster, and ROSTER_KEY an API key; the scope `read` is enough. The name of the file begins with
 * `apis`, `organizations` or `consumers`, or `--apis`, `--organizations` or `--consumers` says what it is to have.
 * `--separator ";"` is for a spreadsheet that expects another separator than `,`: `;` or `tab`.
 *
 * The exit code is 0, or 2 if there is no file; the message says why.
 */
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { RosterClient, RosterError } from '@roster/client';
import { access } from '../import-csv/access.ts';
import { visible } from '../import-csv/refusal.ts';
import { BodySchema } from '../import-csv/schemas.ts';
import { createFile, requireNew } from './new-file.ts';
import { NotRoster, rowsOf } from './rows-of.ts';

const USAGE =
  'npm run export:csv -- <apis.csv, organizations.csv or consumers.csv> [--apis | --organizations | --consumers] [--separator <;>]';
const OPTIONS = {
  apis: { type: 'boolean' },
  organizations: { type: 'boolean' },
  consumers: { type: 'boolean' },
  separator: { type: 'string', default: ',' },
} as const;
const CONTENTS = {
  apis: ['ApiInput', 'APIs'],
  organizations: ['OrganizationInput', 'Organizations'],
  consumers: ['UpdateApiConsumerInput', 'Consumers'],
} as const;
const DELIMITERS: Record<string, string> = { ',': ',', ';': ';', tab: '\t', '\t': '\t' };

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
try {
  await main();
} catch (error) {
  console.error(sentenceOf(error).split('\n').map(visible).join('\n'));
  // Without what still waits, such as for the end of a `Retry-After`.
  process.exit(2);
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) throw new Error(`Name one file: ${USAGE}`);
  const delimiter = DELIMITERS[values.separator];
  if (delimiter === undefined) throw new Error(`--separator must be "," or ";" or "tab": ${USAGE}`);
  const what = contentsOf(file, values);
  const options = access();
  requireNew(file);
  const [bodyName, name] = CONTENTS[what];
  const body = new BodySchema(bodyName);
  const roster = new RosterClient({ ...options, fetch: (request: Request) => fetch(request, { signal: stop.signal }) });
  const count = await createFile(file, rowsOf(roster, body), delimiter, stop.signal);
  console.log(`${file} has ${count} ${name}.`);
  console.log('Edit it, and bring the changes in: npm run import:csv -- <file>');
}

/** @throws Error if neither the flags nor the name of the file say it */
function contentsOf(file: string, flags: Record<string, unknown>): keyof typeof CONTENTS {
  const all = Object.keys(CONTENTS) as (keyof typeof CONTENTS)[];
  const [given, ...more] = all.filter((name) => flags[name]);
  const what = given ?? all.find((name) => basename(file).toLowerCase().startsWith(name));
  if (what !== undefined && more.length === 0) return what;
  const options = '--apis, --organizations or --consumers';
  throw new Error(`Say what the file is to have: ${options}, or a name that begins with one of them.`);
}

function sentenceOf(error: unknown): string {
  const { message, cause } = error as Error;
  if (stop.signal.aborted) return 'Stopped. No file was written.';
  if (error instanceof RosterError) return `${error.status}: ${message} No file was written.`;
  if (error instanceof SyntaxError || error instanceof NotRoster)
    return 'The response is not one of Roster: is ROSTER its address? No file was written.';
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}
