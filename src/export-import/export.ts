/** `npm run export`: writes all records to a file (docs/operating.md). */
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { startErrorText } from '../config/start-error';
import { createCommand } from '../create-command';
import { loadSettings } from '../load-settings';
import { stopSignal } from '../stop-signal';
import { parseArguments } from './arguments';
import { exportData } from './export-data';

const USAGE = `npm run export -- <file>

Writes everything but sessions to a new file, as it is at one moment, also while the service runs.
In the image: node dist/export-import/export.js <file>`;

async function main(): Promise<string> {
  const given = parseArguments(process.argv.slice(2), USAGE);
  if (!given) return USAGE;
  const signal = stopSignal();
  const settings = loadSettings();
  const app = await createCommand(settings);
  const { models } = app.get<Connection>(getConnectionToken());
  await exportData(settings.mongodbUri, Object.values(models), given.file, process.stderr, signal);
  return `${given.file} has password hashes in it: keep it where only you can read it.`;
}

main().then(
  (text) => process.stdout.write(`${text}\n`, () => process.exit(0)),
  (error: unknown) => process.stderr.write(`${startErrorText(error)}\n`, () => process.exit(1)),
);
