/** `npm run admin`: lists, creates and restores Admins (docs/operating.md). In the image: `node dist/admin.js`. */
import { AdminCommands } from './admin/admin-commands';
import { Command, parseCommand, USAGE } from './admin/options';
import { logSecurity, origin } from './auth/security-events';
import { StartError, startErrorText } from './config/start-error';
import { createCommand } from './create-command';
import { toApiError } from './errors/to-api-error';
import { loadSettings } from './load-settings';

async function main(): Promise<string> {
  const command = parseCommand(process.argv.slice(2));
  if (!command) return USAGE;
  const commands = new AdminCommands(await createCommand(loadSettings()));
  return origin.run({ actor: () => `uid ${process.getuid?.()}` }, () => run(commands, command));
}

/** A username is logged only once the User is known to exist: people mistype, and type passwords. */
async function run(commands: AdminCommands, command: Command): Promise<string> {
  const { name, username } = command;
  const text = await commands.run(command).catch((error: unknown) => {
    logSecurity('adminCommand', { command: name, outcome: 'failed' });
    throw error;
  });
  logSecurity('adminCommand', { command: name, username: username || undefined, outcome: 'done' });
  return text;
}

/** Errors of the API are sentences for people; others need their stack trace. */
function errorText(error: unknown): string {
  const { errorName, message } = toApiError(error);
  return error instanceof StartError || errorName === 'unexpected' ? startErrorText(error) : message;
}

main().then(
  (text) => process.stdout.write(`${text}\n`, () => process.exit(0)),
  (error: unknown) => process.stderr.write(`${errorText(error)}\n`, () => process.exit(1)),
);
