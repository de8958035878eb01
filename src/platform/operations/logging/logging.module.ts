import { Module } from '@nestjs/common';
import { AppLogger } from './app-logger';
import { PinoLoggers } from './pino-loggers';
import { RequestLog } from './request-log';

/** Logging with pino: for Nest's own `Logger` (`app.useLogger(app.get(AppLogger))`), and a line per request. */
@Module({ providers: [PinoLoggers, AppLogger, RequestLog], exports: [AppLogger] })
export class LoggingModule {}
