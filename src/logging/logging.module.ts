import { DynamicModule, Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { DestinationStream } from 'pino';
import { Settings } from '../config/settings';
import { AppLogger } from './app-logger';
import { createPinoLoggers } from './pino-loggers';
import { RequestLog } from './request-log';

/** Logging with pino: for Nest's own `Logger` (`app.useLogger(app.get(AppLogger))`), and a line per request. */
@Module({})
export class LoggingModule {
  /** @param destination standard output by default */
  static forRoot(settings: Settings, destination?: DestinationStream): DynamicModule {
    const { application, requests } = createPinoLoggers(settings, destination);
    return {
      module: LoggingModule,
      providers: [
        { provide: AppLogger, useValue: new AppLogger(application) },
        {
          provide: RequestLog,
          inject: [HttpAdapterHost],
          useFactory: (host: HttpAdapterHost) => new RequestLog(host, requests),
        },
      ],
      exports: [AppLogger],
    };
  }
}
