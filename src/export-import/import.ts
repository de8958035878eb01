/** `npm run import`: reads an export into an empty database (docs/operating.md). */
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { startErrorText } from '../config/start-error';
import { createCommand } from '../create-command';
import { loadSettings } from '../load-settings';
import { stopSignal } from '../stop-signal';
import { parseArguments } from './arguments';
import { importData } from './import-data';

const USAGE = `npm run import -- <file> [--keep]

Reads a file of npm run export into an empty database, builds all indexes and checks all invariants.
  --keep   keeps the records also if they break invariants; then run npm run check:data -- --repair
In the image: node dist/export-import/import.js <file>`;

async function main(): Promise<string> {
  const given = parseArguments(process.argv.slice(2), USAGE, ['keep']);
  if (!given) return USAGE;
  const signal = stopSignal();
  const settings = loadSettings();
  // The database may have a part of an import that was killed.
  const app = await createCommand(settings, () => Promise.resolve());
  const { models } = app.get<Connection>(getConnectionToken());
  const output = { report: process.stderr, progress: process.stderr };
  const { total, broken } = await importData(settings.mongodbUri, Object.values(models), { ...given, output, signal });
  const state = broken === 0 ? 'No invariant is broken.' : `Broken invariants: ${broken} (see above).`;
  return `Imported ${total} records. ${state} Sessions are not exported, so everybody logs in again.`;
}

main().then(
  (text) => process.stdout.write(`${text}\n`, () => process.exit(0)),
  (error: unknown) => process.stderr.write(`${startErrorText(error)}\n`, () => process.exit(1)),
);
