import { parseArgs } from 'node:util';
import { SetupError } from '../scripts/lib/steps.mjs';
import { CASES } from './cases.mjs';

/** How much is measured. `single`: rounds with one connection, and their cases; `starts`: how often each is measured. */
const FULL = { rounds: 5, seconds: 5, warmUpSeconds: 3, singleRounds: 3, starts: 5 };
const QUICK = { rounds: 2, seconds: 1, warmUpSeconds: 1, singleRounds: 1, starts: 1 };

const [flag, text] = [{ type: 'boolean' }, { type: 'string' }];
const OPTIONS = { quick: flag, growth: flag, with: text, cases: text, rounds: text, seconds: text, records: text };

/**
 * Reads the options that docs/performance.md shows.
 *
 * @throws {SetupError} for an option that is unknown or not valid
 */
export function parseOptions(args) {
  const { rounds, seconds, records, cases, ...given } = parse(args);
  const length = given.quick ? QUICK : FULL;
  if (![rounds, seconds, records].every((number = '1') => /^[1-9]\d*$/.test(number)))
    throw new SetupError('--rounds, --seconds and --records are whole numbers from 1.');
  const names = CASES.map(({ name }) => name);
  const wanted = cases?.split(',') ?? names;
  const chosen = CASES.filter(({ name }) => wanted.includes(name));
  if (chosen.length < wanted.length) throw new SetupError(`--cases: there are ${names.join(', ')}.`);
  return {
    ...length,
    ...given,
    cases: chosen,
    single: chosen.filter(({ name, limits }) => !limits && (!given.quick || ['R1', 'R4'].includes(name))),
    connections: 50,
    rounds: Number(rounds ?? length.rounds),
    seconds: Number(seconds ?? length.seconds),
    records: Number(records ?? 10_000),
  };
}

function parse(args) {
  try {
    return parseArgs({ args, options: OPTIONS }).values;
  } catch (error) {
    throw new SetupError(`${error.message}\n\nThe options are in docs/performance.md.`);
  }
}
