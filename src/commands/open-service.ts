import { INestApplicationContext } from '@nestjs/common';
import type { Connection } from 'mongoose';
import type { Settings } from '../platform/base/settings/settings';
import { StartError } from '../platform/base/errors/start-error';
import { createApp } from '../create-app';
import { assertReadable } from '../platform/records/start/data-version';
import { Database } from '../platform/records/database';
import { AppLogger } from '../platform/operations/logging/app-logger';
import { PinoLoggers } from '../platform/operations/logging/pino-loggers';

/**
 * Assembles the service for a command: connected but not started. Logs go to stderr, because stdout belongs to the
 * command.
 *
 * @throws StartError when the database cannot be reached, or its data is too new or only partly imported
 */
export async function openService(
  settings: Settings,
): Promise<{ app: INestApplicationContext; connection: Connection }> {
  // Reading a large collection, or building its index, may take longer than an operation of a request.
  const app = await createApp({ ...settings, docs: false }, { socketTimeoutMS: 0 });
  // The command says itself what it did: only in production, and away from a terminal, are its lines kept.
  const isKept = settings.nodeEnv === 'production' && !process.stderr.isTTY;
  const logLevel = settings.logLevel ?? (isKept ? 'info' : 'warn');
  app.useLogger(new AppLogger(new PinoLoggers({ ...settings, logLevel }, process.stderr)));
  const { connection, driver } = app.get(Database);
  await connection.asPromise().catch((cause: unknown) => {
    const advice = 'Start it, or correct MONGODB_URI.';
    throw new StartError(`Cannot reach the database: ${driver.messageOf(cause)}. ${advice}`, { cause });
  });
  await assertReadable(connection);
  return { app, connection };
}
