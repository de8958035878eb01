import { DynamicModule, Module } from '@nestjs/common';
import { DestinationStream } from 'pino';
import { Settings } from '../config/settings';
import { AppLogger } from './app-logger';
import { PinoLoggers } from './pino-loggers';
import { RequestLog } from './request-log';

/** Logging with pino: for Nest's own `Logger` (`app.useLogger(app.get(AppLogger))`), and a line per request. */
@Module({})
export class LoggingModule {
  /** @param destination standard output by default */
  static forRoot(settings: Settings, destination?: DestinationStream): DynamicModule {
    const loggers = { provide: PinoLoggers, useValue: new PinoLoggers(settings, destination) };
    return { module: LoggingModule, providers: [loggers, AppLogger, RequestLog], exports: [AppLogger] };
  }
}
