import { announce } from './announce';
import { loadSettings } from './config/load-settings';
import { failureText } from './config/start-error';
import { createApp } from './configure-app';
import { provideDatabase } from './database/provide-database';
import { listen } from './listen';
import { stopOnSignals } from './stop-on-signals';

async function main(): Promise<void> {
  const started = stopOnSignals();
  const given = await loadSettings();
  const database = await started.with(provideDatabase(given), ({ stop }) => stop());
  database.lost.catch(started.fail);
  const app = await started.with(createApp(database.settings), (created) => created.close());
  await listen(app, given);
  await announce(app, given);
}

main().catch((error: unknown) => {
  process.stderr.write(`${failureText(error)}\n`);
  process.exit(1);
});
