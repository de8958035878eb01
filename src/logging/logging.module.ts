import { Module } from '@nestjs/common';
import { Settings } from '../config/settings';
import { AppLogger } from './app-logger';
import { PinoLoggers } from './pino-loggers';
import { RequestLog } from './request-log';

const loggers = {
  provide: PinoLoggers,
  inject: [Settings],
  useFactory: (settings: Settings) => new PinoLoggers(settings),
};

/** Logging with pino: for Nest's own `Logger` (`app.useLogger(app.get(AppLogger))`), and a line per request. */
@Module({ providers: [loggers, AppLogger, RequestLog], exports: [AppLogger] })
export class LoggingModule {}
