import { announce } from './announce';
import { loadSettings } from './config/load-settings';
import { createApp } from './configure-app';
import { provideDatabase } from './database/provide-database';

async function main(): Promise<void> {
  const given = await loadSettings();
  const database = await provideDatabase(given);
  const app = await createApp(database.settings);
  await app.listen(given.port, given.host);
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= app.close().finally(database.stop));
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => void stop().then(() => process.exit(0)));
  database.lost.catch((reason: Error) => void stop().then(() => leave(reason)));
  await announce(app);
}

/** Tells the person at the terminal why, and exits with a failure. */
function leave(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

main().catch(leave);
