// First: it handles signals while the rest is loaded.
import { leaveSignalsToService } from './start/stop-early';
import './start/compile-cache';
import { flushCompileCache } from 'node:module';
import { announce } from './start/announce';
import { listenError, startErrorText } from './config/start-error';
import { createApp } from './create-app';
import { loadSettings } from './start/load-settings';

async function main(): Promise<void> {
  const settings = loadSettings();
  const app = await createApp(settings);
  app.enableShutdownHooks(['SIGINT', 'SIGTERM'], { useProcessExit: true });
  leaveSignalsToService();
  await app.listen(settings.port, settings.host).catch((error: unknown) => {
    throw listenError(error, { ...settings, setting: 'PORT' });
  });
  await announce(app, settings);
  // Not only at the end of the process, which may be killed.
  flushCompileCache();
}

main().catch((error: unknown) => {
  process.stderr.write(`${startErrorText(error)}\n`);
  process.exit(1);
});
