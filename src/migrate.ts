/** `npm run migrate`: says which version the data has (docs/operating.md). In the image: `node dist/migrate.js`. */
import { createConnection } from 'mongoose';
import { StartError, startErrorText } from './config/start-error';
import { version as release } from './config/version';
import { connect } from './database/connect';
import { connectionOptions } from './database/connection-options';
import { DATA_VERSION, DataVersion, readDataVersion } from './database/migrations/data-version';
import { STEPS } from './database/migrations/steps';
import { loadSettings } from './load-settings';

const USAGE = `npm run migrate

Says which version the data has, and which steps have changed it. The service itself runs the steps, at its start.
In the image: node dist/migrate.js`;

async function main(): Promise<string> {
  const [command = 'status', ...others] = process.argv.slice(2);
  if (command === '--help') return USAGE;
  if (command !== 'status' || others.length > 0) throw new StartError(USAGE);
  const connection = createConnection(loadSettings().mongodbUri, connectionOptions);
  await connect(connection);
  return statusText(await readDataVersion(connection));
}

function statusText(data: DataVersion): string {
  const { version, readableFrom } = data;
  const steps = STEPS.map((step) => {
    const isDone = step.version <= version;
    return `${isDone ? '✔' : '·'} ${step.version}  ${isDone ? 'done' : 'to do'}  ${step.title}`;
  });
  return [
    `The data has version ${version}; Roster ${release} writes version ${DATA_VERSION}. ${advice(data)}`,
    `The oldest version that can read the data: ${readableFrom}`,
    ...steps,
  ].join('\n');
}

function advice({ version, readableFrom, release: writer, isImporting }: DataVersion): string {
  if (readableFrom > DATA_VERSION) return `It cannot read this data: use Roster ${writer} or newer.`;
  if (isImporting) return 'An import has not finished.';
  if (version < DATA_VERSION) return 'The next start runs the steps that are to do.';
  return version > DATA_VERSION ? `It can read this data, which Roster ${writer} changed.` : 'Nothing to do.';
}

main().then(
  (text) => process.stdout.write(`${text}\n`, () => process.exit(0)),
  (error: unknown) => process.stderr.write(`${startErrorText(error)}\n`, () => process.exit(1)),
);
