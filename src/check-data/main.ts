/** `npm run check:data`: checks the invariants of what is stored (docs/operating.md). */
import { parseArgs } from 'node:util';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { StartError, startErrorText } from '../config/start-error';
import { createCommand } from '../create-command';
import { loadSettings } from '../load-settings';
import { checkData, Repair } from './check-data';

const USAGE = `npm run check:data -- [--repair [--yes]]

Checks what is stored, also while the service runs. Ends with 1 if an invariant is broken.
  --repair   says how to remove ids of records that are gone, and rebuild derived fields
  --yes      does it. No record is deleted`;

async function main(): Promise<number> {
  const repair = parseRepair(process.argv.slice(2));
  if (!repair) return (process.stdout.write(`${USAGE}\n`), 0);
  const settings = loadSettings();
  const app = await createCommand(settings);
  const { models } = app.get<Connection>(getConnectionToken());
  const output = { report: process.stdout, progress: process.stderr };
  const left = await checkData(settings.mongodbUri, Object.values(models), repair, output);
  const are = left === 1 ? 'invariant is' : 'invariants are';
  process.stderr.write(left === 0 ? '✔ No invariant is broken.\n' : `✖ ${left} broken ${are} left.\n`);
  return left === 0 ? 0 : 1;
}

/** @returns undefined for `--help` */
function parseRepair(args: string[]): Repair | undefined {
  const flag = { type: 'boolean' } as const;
  try {
    const { help, repair, yes } = parseArgs({ args, options: { repair: flag, yes: flag, help: flag } }).values;
    if (help) return undefined;
    if (yes && !repair) throw new Error('--yes needs --repair.');
    return !repair ? 'off' : yes ? 'on' : 'dry';
  } catch (error) {
    throw new StartError(`${(error as Error).message}\n\n${USAGE}`);
  }
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => process.stderr.write(`${startErrorText(error)}\n`, () => process.exit(1)),
);
