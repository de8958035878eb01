import { rmSync } from 'node:fs';
import { running } from './global-setup';

/** After all tests, failed or not: ends what global-setup.ts has started. */
export default async function globalTeardown(): Promise<void> {
  await running.database?.stop();
  if (running.dataDir !== undefined) rmSync(running.dataDir, { recursive: true, force: true });
}
