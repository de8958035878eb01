import { parseArgs } from 'node:util';
import { SetupError } from '../scripts/lib/steps.mjs';
import { CASES } from './cases.mjs';

/** What is measured instead of the peers, each in a file of this folder. */
const PARTS = ['growth', 'memory', 'pocketbase'];

/** How much is measured. `single`: rounds with one connection, and their cases; `starts`: how often each is measured. */
const FULL = { rounds: 5, seconds: 5, warmUpSeconds: 3, singleRounds: 3, starts: 5 };
const SHORT = { rounds: 2, seconds: 1, warmUpSeconds: 1, singleRounds: 1, starts: 1 };

/**
 * Reads the options that docs/performance.md shows. `part` is the file that measures.
 *
 * @throws {SetupError} for an option that is unknown or not valid
 */
export function parseOptions(args) {
  const { rounds, seconds, records, cases, ...flags } = parse(args);
  const length = flags.quick || flags.check ? SHORT : FULL;
  if (![rounds, seconds, records].every((given = '1') => /^[1-9]\d*$/.test(given)))
    throw new SetupError('--rounds, --seconds and --records are whole numbers from 1.');
  const names = CASES.map(({ name }) => name);
  const wanted = cases?.split(',') ?? names;
  const chosen = CASES.filter(({ name }) => wanted.includes(name));
  if (chosen.length < wanted.length) throw new SetupError(`--cases: there are ${names.join(', ')}.`);
  return {
    ...length,
    ...flags,
    part: PARTS.find((name) => flags[name]) ?? 'compare',
    cases: chosen,
    single: chosen.filter(({ name, limits }) => !limits && (!flags.quick || ['R1', 'R4'].includes(name))),
    connections: 50,
    rounds: Number(rounds ?? length.rounds),
    seconds: Number(seconds ?? length.seconds),
    records: records && Number(records),
  };
}

function parse(args) {
  const text = { type: 'string' };
  const flags = Object.fromEntries(['quick', 'check', ...PARTS].map((name) => [name, { type: 'boolean' }]));
  try {
    return parseArgs({ args, options: { ...flags, cases: text, rounds: text, seconds: text, records: text } }).values;
  } catch (error) {
    throw new SetupError(`${error.message}\n\nThe options are in docs/performance.md.`);
  }
}
