import { parseArgs } from 'node:util';
import { StartError } from '../config/start-error';

/** How many demo records there are to be after a run, and whether they may be added in production. */
export type SeedOptions = Readonly<Counts & { yes: boolean }>;

type Counts = Record<keyof typeof DEFAULTS, number>;

/** Why the demo records cannot be added. */
export class SeedError extends StartError {
  override readonly name = 'SeedError';
}

const DEFAULTS = { users: 10, organizations: 5, apis: 20 };
const MAX = 100_000;

/** What `--help` prints. */
export const USAGE = `npm run seed -- [--users N] [--organizations N] [--apis N] [--yes]

Adds demo records up to these numbers; existing records are not changed.
  --users N           0 to ${MAX}; default ${DEFAULTS.users}
  --organizations N   0 to ${MAX}; default ${DEFAULTS.organizations}
  --apis N            0 to ${MAX}; default ${DEFAULTS.apis}
  --yes               required with NODE_ENV=production`;

/**
 * Reads the options of the command.
 * @returns undefined for `--help`
 * @throws SeedError for an unknown option, or a number out of bounds
 */
export function parseOptions(args: string[]): SeedOptions | undefined {
  const { help, yes = false, ...given } = parse(args);
  if (help) return undefined;
  const counts: Counts = { ...DEFAULTS };
  for (const [name, text] of Object.entries(given)) {
    if (!/^\d{1,6}$/.test(text) || Number(text) > MAX) {
      throw new SeedError(`--${name} must be a whole number from 0 to ${MAX}.\n\n${USAGE}`);
    }
    counts[name as keyof Counts] = Number(text);
  }
  return { ...counts, yes };
}

function parse(args: string[]): { help?: boolean; yes?: boolean } & Partial<Record<keyof Counts, string>> {
  const [count, flag] = [{ type: 'string' }, { type: 'boolean' }] as const;
  try {
    const options = { users: count, organizations: count, apis: count, yes: flag, help: flag };
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new SeedError(`${(error as Error).message}\n\n${USAGE}`);
  }
}
