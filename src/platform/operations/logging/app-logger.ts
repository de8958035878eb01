import { Injectable, LoggerService } from '@nestjs/common';
import type { Level } from 'pino';
import { PinoLoggers } from './pino-loggers';

/** Nest reports each module and route at startup: fifty lines that hide the few that a person needs. */
const ASSEMBLY: unknown[] = ['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication'];

/** Writes the lines of Nest's `Logger` with pino. */
@Injectable()
export class AppLogger implements LoggerService {
  readonly fatal = this.writer('fatal');
  readonly error = this.writer('error');
  readonly warn = this.writer('warn');
  readonly log = this.writer('info');
  readonly debug = this.writer('debug');
  readonly verbose = this.writer('trace');

  constructor(private readonly loggers: PinoLoggers) {}

  private writer(level: Level): LoggerService['log'] {
    return (message: unknown, ...params: unknown[]) => this.write(level, message, params);
  }

  /** The last parameter is the context; before it may be a stack: `logger.error('message', error.stack)`. */
  private write(level: Level, message: unknown, params: unknown[]): void {
    const context = params.at(-1);
    const stack = params.length > 1 ? params[0] : undefined;
    const fields = { context, ...(typeof stack === 'string' && { stack }) };
    const pino = this.loggers.application;
    if (level === 'info' && ASSEMBLY.includes(context)) level = 'debug';
    // Nest logs why it cannot listen and throws it as well; main.ts tells that in a sentence.
    if (level === 'error' && context === 'NestApplication') level = 'debug';
    if (message instanceof Error) pino[level]({ ...fields, err: message }, message.message);
    else if (typeof message === 'object') pino[level]({ ...fields, ...message });
    else pino[level](fields, message as string);
  }
}
