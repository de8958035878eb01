import { announce } from './announce';
import { listenError } from './config/listen-error';
import { startErrorText } from './config/start-error';
import { createApp } from './create-app';
import { provideDatabase } from './database/provide-database';
import { loadSettings } from './load-settings';
import { stopOnSignals } from './stop-on-signals';

async function main(): Promise<void> {
  const started = stopOnSignals();
  const given = loadSettings();
  const database = await started.with(provideDatabase(given), ({ stop }) => stop());
  database.lost.catch(started.fail);
  const app = await started.with(createApp(database.settings), (created) => created.close());
  await app.listen(given.port, given.host).catch((error: unknown) => {
    throw listenError(error, { ...given, setting: 'PORT' });
  });
  await announce(app, given);
}

main().catch((error: unknown) => {
  process.stderr.write(`${startErrorText(error)}\n`);
  process.exit(1);
});
