import { DynamicModule, Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { LoggerModule } from 'nestjs-pino';
import { DestinationStream } from 'pino';
import { Settings } from '../config/settings';
import { createLoggers } from './logger';
import { RequestLog } from './request-log';

/**
 * Logging through pino: Nest's own `Logger` everywhere (`app.useLogger(app.get(Logger))` with the one of nestjs-pino),
 * and a line for each request.
 */
@Module({})
export class LoggingModule {
  /** @param destination where to write; standard output by default */
  static forRoot(settings: Settings, destination?: DestinationStream): DynamicModule {
    const { application, requests } = createLoggers(settings, destination);
    return {
      module: LoggingModule,
      // No routes for its middleware: it would make a logger and an async context for every request.
      imports: [LoggerModule.forRoot({ pinoHttp: { logger: application }, forRoutes: [] })],
      providers: [
        {
          provide: RequestLog,
          inject: [HttpAdapterHost],
          useFactory: (host: HttpAdapterHost) => new RequestLog(host, requests),
        },
      ],
      exports: [LoggerModule],
    };
  }
}
