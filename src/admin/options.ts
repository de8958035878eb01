import { StartError } from '../config/start-error';

/** The arguments of each command. */
const COMMANDS = {
  list: [],
  create: ['username', 'email'],
  'reset-password': ['username'],
  grant: ['username'],
  revoke: ['username'],
} as const;

export type CommandName = keyof typeof COMMANDS;

/** A command with its arguments. */
export interface Command {
  readonly name: CommandName;
  readonly username: string;
  readonly email: string;
}

/** What `--help` prints. */
export const USAGE = `npm run admin -- <command>

  list                        lists the Admins
  create <username> <email>   creates an Admin, and prints the password once
  reset-password <username>   sets a new password, prints it once, and ends the User's sessions
  grant <username>            makes a User an Admin
  revoke <username>           makes an Admin an ordinary User; the last Admin stays

In the image: node dist/admin.js <command>`;

/**
 * Reads the arguments of the command line.
 * @returns undefined for `--help`
 * @throws StartError for an unknown command, or another number of arguments
 */
export function parseCommand(args: readonly string[]): Command | undefined {
  if (args.includes('--help')) return undefined;
  const [name = '', ...values] = args;
  if (!isCommand(name)) throw new StartError(`${name ? `"${name}" is not a command` : 'No command'}.\n\n${USAGE}`);
  const expected = COMMANDS[name];
  if (values.length !== expected.length) {
    const usage = [name, ...expected.map((argument) => `<${argument}>`)].join(' ');
    throw new StartError(`Usage: npm run admin -- ${usage}`);
  }
  const [username = '', email = ''] = values;
  return { name, username, email };
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}
