import { parseArgs } from 'node:util';
import { SetupError } from '../scripts/lib/steps.mjs';
import { CASES } from './cases.mjs';
import { SERVICES } from './services.mjs';

/** What `--help` prints. */
export const USAGE = `npm run bench -- [options]

Measures Roster and its peers side by side: ${SERVICES.map(({ name }) => name).join(', ')}.
  --quick              short runs, less than three minutes
  --json               the last line is the ratios as JSON
  --growth             how response times grow from 1,000 to 100,000 records; Roster only
  --memory             memory in ten minutes of R1 to R6, uploads, many logins; Roster only
  --check              only checks that all services respond alike; measures nothing
  --instances          one instance and two on the same database; Roster only
  --cases R1,R4        only these; default all
  --services limit     Roster and only these; default all
  --connections N      default 50
  --rounds N           per case and service; default 5
  --seconds N          of each round; default 5
  --no-open-loop       without the rows at a constant rate`;

/**
 * @typedef {object} Options
 * @property {boolean} quick
 * @property {boolean} json
 * @property {boolean} check
 * @property {boolean} growth
 * @property {boolean} memory
 * @property {boolean} instances
 * @property {import('./cases.mjs').Case[]} cases
 * @property {import('./services.mjs').Definition[]} services Roster first
 * @property {number} connections
 * @property {number} rounds
 * @property {number} seconds of each round
 * @property {number} warmUpSeconds
 * @property {string[]} single the cases that are also measured with one connection
 * @property {number} singleRounds
 * @property {number} openLoopSeconds 0 for none
 * @property {number} starts how often each start is measured
 */

/**
 * @param {string[]} args
 * @returns {Options | undefined} undefined for `--help`
 * @throws {SetupError} for an option that is unknown or not valid
 */
export function parseOptions(args) {
  const values = parse(args);
  if (values.help) return undefined;
  const { quick = false, json = false, check = false, growth = false, memory = false, instances = false } = values;
  const length =
    quick || check
      ? { rounds: 2, seconds: 1, warmUpSeconds: 1, singleRounds: 1, openLoopSeconds: 1, starts: 1 }
      : { rounds: 5, seconds: 5, warmUpSeconds: 3, singleRounds: 3, openLoopSeconds: 10, starts: 5 };
  const cases = pick('cases', CASES, values.cases);
  const single = cases.map(({ name }) => name).filter((name) => !quick || ['R1', 'R4'].includes(name));
  return {
    ...{ ...length, quick, json, check, growth, memory, instances, cases, single },
    services: SERVICES.filter(({ name }) => name === 'roster').concat(
      pick('services', SERVICES, values.services).filter(({ name }) => name !== 'roster'),
    ),
    connections: number('connections', values.connections, 50),
    rounds: number('rounds', values.rounds, length.rounds),
    seconds: number('seconds', values.seconds, length.seconds),
    openLoopSeconds: values['no-open-loop'] ? 0 : length.openLoopSeconds,
  };
}

function parse(args) {
  const [flag, text] = [{ type: 'boolean' }, { type: 'string' }];
  const flags = {
    quick: flag,
    json: flag,
    check: flag,
    growth: flag,
    memory: flag,
    instances: flag,
    help: flag,
    'no-open-loop': flag,
  };
  const texts = { cases: text, services: text, connections: text, rounds: text, seconds: text };
  try {
    return parseArgs({ args, options: { ...flags, ...texts } }).values;
  } catch (error) {
    throw new SetupError(`${error.message}\n\n${USAGE}`);
  }
}

function pick(option, all, names) {
  if (names === undefined) return all;
  return names.split(',').map((name) => {
    const found = all.find((one) => one.name.toLowerCase() === name.toLowerCase());
    if (!found) throw new SetupError(`--${option}: there is no "${name}".\n\n${USAGE}`);
    return found;
  });
}

/** At most 600: everything here is bounded. */
function number(option, text, fallback) {
  if (text === undefined) return fallback;
  if (/^[1-9][0-9]{0,2}$/.test(text) && Number(text) <= 600) return Number(text);
  throw new SetupError(`--${option} must be a whole number from 1 to 600.\n\n${USAGE}`);
}
