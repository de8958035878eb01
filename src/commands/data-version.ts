import type { Connection } from 'mongoose';
import { version as release } from '../config/version';
import { DATA_VERSION, DataVersion, readDataVersion } from '../database/migrations/data-version';
import { STEPS } from '../database/migrations/steps';

/** The version of the data, what it means for this release, and the steps, as `data:version` prints them. */
export async function dataVersionText(connection: Connection): Promise<string> {
  const data = await readDataVersion(connection);
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
