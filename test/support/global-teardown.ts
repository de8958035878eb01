import { running } from './global-setup';
import { removeRunFolder } from './run-folder';

/** After all tests, failed or not: ends what global-setup.ts has started and what tests have left running. */
export default async function globalTeardown(): Promise<void> {
  await running.database?.stop();
  if (running.folder !== undefined) removeRunFolder(running.folder);
}
