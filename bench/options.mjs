import { parseArgs } from 'node:util';
import { SetupError } from '../scripts/lib/steps.mjs';
import { CASES } from './cases.mjs';

/** What `--help` prints. */
export const USAGE = `npm run bench -- [options]

Measures Roster and its peers side by side.
  --quick       short runs, less than three minutes
  --check       only checks that all services respond alike; measures nothing
  --growth      how response times grow from 1,000 to 100,000 records, and ten times as many
                Events, up to 1,000,000; what commands and the start take; Roster only
  --records N   the largest number of records of --growth
  --memory      memory in ten minutes of R1 to R6 and lists of 100; Roster only
  --keys        R1 with API keys and with the tokens of logins; Roster only
  --profile     which layer the CPU time of a request goes to; Roster only
  --instances   requests per second of one and of two instances; Roster only
  --cases R1,R4 only these; default all
  --rounds N    per case and service; default 5
  --seconds N   of each round; default 5`;

const FLAGS = ['quick', 'check', 'growth', 'memory', 'keys', 'profile', 'instances', 'help'];

/** How much is measured. `single`: rounds with one connection, and their cases; `starts`: how often each is measured. */
const FULL = { rounds: 5, seconds: 5, warmUpSeconds: 3, singleRounds: 3, starts: 5 };
const SHORT = { rounds: 2, seconds: 1, warmUpSeconds: 1, singleRounds: 1, starts: 1 };

/** @throws {SetupError} for an option that is unknown or not valid */
export function parseOptions(args) {
  const { rounds, seconds, records, cases, ...flags } = parse(args);
  const length = flags.quick || flags.check ? SHORT : FULL;
  const chosen = CASES.filter(({ name }) => !cases || cases.split(',').includes(name));
  if (/\D/.test(`${rounds ?? 1}${seconds ?? 1}${records ?? 1}`))
    throw new SetupError(`--rounds, --seconds and --records are whole numbers.\n\n${USAGE}`);
  if (chosen.length === 0) throw new SetupError(`--cases: there is no "${cases}".\n\n${USAGE}`);
  return {
    ...length,
    ...flags,
    cases: chosen,
    single: chosen.filter(({ name }) => !flags.quick || ['R1', 'R4'].includes(name)),
    connections: 50,
    rounds: Number(rounds ?? length.rounds),
    seconds: Number(seconds ?? length.seconds),
    records: records && Number(records),
  };
}

function parse(args) {
  const text = { type: 'string' };
  const flags = Object.fromEntries(FLAGS.map((name) => [name, { type: 'boolean', default: false }]));
  try {
    return parseArgs({ args, options: { ...flags, cases: text, rounds: text, seconds: text, records: text } }).values;
  } catch (error) {
    throw new SetupError(`${error.message}\n\n${USAGE}`);
  }
}
