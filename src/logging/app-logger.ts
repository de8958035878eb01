import { Injectable, LoggerService } from '@nestjs/common';
import type { Level, Logger } from 'pino';

/** Nest reports each module and route at startup: fifty lines that hide the few that a person needs. */
const ASSEMBLY = new Set<unknown>([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/** Writes the lines of Nest's `Logger` with pino. Nest passes the logger's context as the last parameter. */
@Injectable()
export class AppLogger implements LoggerService {
  constructor(private readonly pino: Logger) {}

  log(message: unknown, ...params: unknown[]): void {
    this.write(ASSEMBLY.has(params.at(-1)) ? 'debug' : 'info', message, params);
  }

  fatal(message: unknown, ...params: unknown[]): void {
    this.write('fatal', message, params);
  }

  error(message: unknown, ...params: unknown[]): void {
    this.write('error', message, params);
  }

  warn(message: unknown, ...params: unknown[]): void {
    this.write('warn', message, params);
  }

  debug(message: unknown, ...params: unknown[]): void {
    this.write('debug', message, params);
  }

  verbose(message: unknown, ...params: unknown[]): void {
    this.write('trace', message, params);
  }

  /** `error` may have a stack before the context: `logger.error('message', error.stack)`. */
  private write(level: Level, message: unknown, params: unknown[]): void {
    const context = params.at(-1);
    const stack = params.length > 1 ? params[0] : undefined;
    const fields = { context, ...(typeof stack === 'string' && { stack }) };
    if (message instanceof Error) this.pino[level]({ ...fields, err: message }, message.message);
    else if (typeof message === 'object') this.pino[level]({ ...fields, ...message });
    else this.pino[level](fields, message as string);
  }
}
