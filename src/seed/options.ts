import { parseArgs } from 'node:util';
import { StartError } from '../config/start-error';

/** How many demo records there are to be after a run, and whether production may be written to. */
export interface SeedOptions {
  readonly users: number;
  readonly organizations: number;
  readonly apis: number;
  readonly yes: boolean;
}

/** Why the demo records cannot be added. */
export class SeedError extends StartError {
  override readonly name = 'SeedError';
}

/** What `--help` prints. */
export const USAGE = `npm run seed -- [--users N] [--organizations N] [--apis N] [--yes]

Fills the registry with demo records up to these numbers; what is there already stays as it is.
  --users N           0 to 100000; default 10
  --organizations N   0 to 100000; default 5
  --apis N            0 to 100000; default 20
  --yes               also with NODE_ENV=production, where it refuses otherwise`;

const DEFAULTS = { users: 10, organizations: 5, apis: 20 };
const MAX = 100_000;

/**
 * Reads the options of the command.
 *
 * @param args what stands behind the command's name
 * @returns undefined when help is asked for
 * @throws SeedError for an option that is unknown or has no number in bounds
 */
export function parseOptions(args: readonly string[]): SeedOptions | undefined {
  const values = parsed(args);
  if (values.help) return undefined;
  return {
    users: count('users', values.users),
    organizations: count('organizations', values.organizations),
    apis: count('apis', values.apis),
    yes: values.yes ?? false,
  };
}

function parsed(args: readonly string[]): { help?: boolean; yes?: boolean } & Partial<Record<Counted, string>> {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    const options = { users: text, organizations: text, apis: text, yes: flag, help: flag };
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new SeedError(`${(error as Error).message}\n\n${USAGE}`);
  }
}

type Counted = keyof typeof DEFAULTS;

function count(name: Counted, given: string | undefined): number {
  if (given === undefined) return DEFAULTS[name];
  const number = /^\d{1,6}$/.test(given) ? Number(given) : NaN;
  if (number <= MAX) return number;
  throw new SeedError(`--${name} must be a whole number from 0 to ${MAX}.\n\n${USAGE}`);
}
