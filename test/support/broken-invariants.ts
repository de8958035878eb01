import { checkData } from '../../src/commands/check-data/check-data';
import { Paper } from './paper';
import type { Service } from './service';

/** What `npm run check:data` says of a service's records; nothing where they are sound. */
export async function brokenInvariants({ connection }: Service): Promise<string> {
  const report = new Paper();
  await checkData(connection, { report, progress: new Paper() });
  return report.text;
}
