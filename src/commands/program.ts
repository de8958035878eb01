import { resolve } from 'node:path';
import { Command, Help } from 'commander';
import { StartError } from '../platform/base/errors/start-error';
import { Database } from '../platform/records/database';
import { Transactions } from '../platform/records/transactions/transactions';
import { loadSettings } from '../platform/operations/start/load-settings';
import { LinksService } from '../registry/links/links.service';
import { UsersService } from '../registry/users/users.service';
import { AdminCommands, logCommand } from './admin';
import { checkData } from './check-data/check-data';
import { exportData } from './export-import/export-data';
import { importData } from './export-import/import-data';
import { openService } from './open-service';

const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** The commands, their arguments and options. */
export function createProgram(): Command {
  const program = new Command('npm run').usage('<command> [options]').showHelpAfterError();
  // npm takes what comes before `--` for itself.
  const commandUsage = (command: Command): string => new Help().commandUsage(command).replace(/^npm run \S+/, '$& --');
  program.configureHelp({ commandUsage });
  for (const add of [addAdmin, addCheckData, addExport, addImport]) add(program);
  return program;
}

function addAdmin(program: Command): void {
  const admin = program.command('admin').description('Lists, creates and restores Admins, and suspends Users.');
  const add = (usage: string, description: string, method: keyof AdminCommands) => {
    const command = admin.command(usage).description(description);
    command.action(async () => {
      const [name = '', email = ''] = command.args;
      const [argument] = command.registeredArguments;
      const { app, connection } = await openService(loadSettings());
      const admins = new AdminCommands(app.get(UsersService), app.get(LinksService), app.get(Transactions), connection);
      const about = argument ? { [argument.name()]: name } : {};
      print(await logCommand(command.name(), about, () => admins[method](name, email)));
    });
  };
  add('list', 'Lists the Admins.', 'list');
  add('create <username> <email>', 'Creates an Admin, and prints the password once.', 'create');
  const reset = "Sets a new password, prints it once, and ends the User's sessions.";
  add('reset-password <username>', reset, 'resetPassword');
  add('link <username>', 'Makes a link with which a User sets a password, and prints it once.', 'link');
  add('grant <username>', 'Makes a User an Admin.', 'grant');
  add('revoke <username>', 'Makes an Admin an ordinary User. The last Admin stays.', 'revoke');
  add('suspend <username>', 'Locks a User out, and ends their sessions. The last Admin stays.', 'suspend');
  add('unsuspend <username>', 'Lets a suspended User in again.', 'unsuspend');
  add('forget <userId>', 'Removes the name of a deleted User from the events.', 'forget');
}

function addCheckData(program: Command): void {
  program
    .command('check:data')
    .description('Checks what is stored, also while the service runs. Exits with code 1 if an invariant is broken.')
    .action(async () => {
      const { app } = await openService(loadSettings());
      const broken = await checkData(app.get(Database), { report: process.stdout, progress: process.stderr });
      process.stderr.write(broken === 0 ? '✔ No invariant is broken.\n' : `✖ Broken invariants: ${broken}.\n`);
      process.exitCode = broken === 0 ? 0 : 1;
    });
}

function addExport(program: Command): void {
  program
    .command('export')
    .description(
      'Writes a consistent snapshot of everything but sessions and links to a new file, also while the service runs.',
    )
    .argument('<file>', 'its name', pathOf)
    .action(async (file: string) => {
      const signal = stopSignal();
      const { connection } = await openService(loadSettings());
      await exportData(connection, file, process.stderr, signal);
      process.stderr.write(`${file} has password hashes in it: keep it where only you can read it.\n`);
    });
}

function addImport(program: Command): void {
  program
    .command('import')
    .description('Reads such a file into an empty database, builds all indexes and checks all invariants.')
    .argument('<file>', 'written by npm run export', pathOf)
    .option('--keep', 'keeps the records also if they break invariants')
    .action(async (file: string, { keep = false }: { keep?: boolean }) => {
      const signal = stopSignal();
      const { connection } = await openService(loadSettings());
      const output = { report: process.stderr, progress: process.stderr };
      const { total, broken } = await importData(connection, { file, keep, output, signal });
      const state = broken === 0 ? 'No invariant is broken.' : `Broken invariants: ${broken} (see above).`;
      print(`Imported ${total} records. ${state} Sessions are not exported, so everybody logs in again.`);
    });
}

/** npm runs commands in the folder of package.json, and says where it was called. */
const pathOf = (file: string): string => resolve(process.env.INIT_CWD ?? '', file);

/** Aborts at the first SIGINT, SIGTERM or SIGHUP, so a command can clean up. A second one ends the process. */
function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = (): void => controller.abort(new StartError('Stopped. Nothing was exported or imported.'));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  return controller.signal;
}
