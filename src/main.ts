// First: it ends an old Node.js with a sentence.
import './platform/operations/start/node-version';
// Then: it handles signals while the rest is loaded.
import { leaveSignalsToService } from './platform/operations/start/early';
import { flushCompileCache } from 'node:module';
import { Logger } from '@nestjs/common';
import { announce } from './platform/operations/start/announce';
import { listenError, StartError, startErrorText } from './platform/base/errors/start-error';
import { messageOf } from './platform/base/errors/message-of';
import { createApp } from './create-app';
import { FirstAdmin } from './registry/users/first-admin';
import { loadSettings } from './platform/operations/start/load-settings';

// Output that cannot be written, on a full disk for example, must not end the service.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

async function main(): Promise<void> {
  const settings = loadSettings();
  const app = await createApp(settings);
  app.enableShutdownHooks(['SIGINT', 'SIGTERM'], { useProcessExit: true });
  leaveSignalsToService();
  await app.listen(settings.port, settings.host).catch((error: unknown) => {
    throw listenError(error, { ...settings, setting: 'PORT' });
  });
  // It serves all the same when the database goes away meanwhile, or ends as asked when it is stopped.
  await announce(app, settings, () => app.get(FirstAdmin).login()).catch((error: unknown) => {
    if (error instanceof StartError) throw error;
    new Logger('Start').warn(messageOf(error));
  });
  // Not only at the end of the process, which may be killed.
  flushCompileCache();
}

main().catch((error: unknown) => {
  process.stderr.write(`${startErrorText(error)}\n`);
  process.exit(1);
});
