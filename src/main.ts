// First: it handles signals while the rest is loaded.
import { leaveSignalsToService } from './stop-early';
import './compile-cache';
import { flushCompileCache } from 'node:module';
import { announce } from './announce';
import { listenError, startErrorText } from './config/start-error';
import { createApp } from './create-app';
import { loadSettings } from './load-settings';
import { logStart } from './log-start';

async function main(): Promise<void> {
  const settings = loadSettings();
  const app = await createApp(settings);
  app.enableShutdownHooks(['SIGINT', 'SIGTERM'], { useProcessExit: true });
  leaveSignalsToService();
  await app.listen(settings.port, settings.host).catch((error: unknown) => {
    throw listenError(error, { ...settings, setting: 'PORT' });
  });
  logStart(app, settings);
  await announce(app, settings);
  // Not only at the end of the process, which may be killed.
  flushCompileCache();
}

main().catch((error: unknown) => {
  process.stderr.write(`${startErrorText(error)}\n`);
  process.exit(1);
});
