import { createRequire } from 'node:module';
import { styleText } from 'node:util';
import { Injectable, Optional } from '@nestjs/common';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { prettyFactory } from 'pino-pretty';
import { Settings } from '../../base/settings/settings';

/** Never written, neither at the top of a logged object nor one or two levels down. */
const SECRETS = [
  'authorization',
  'password',
  'currentPassword',
  'passwordHash',
  'accessToken',
  'refreshToken',
  'token',
  'key',
  'hash',
  'jwtSecret',
  'adminPassword',
  'mongodbUri',
];

/**
 * Two loggers with one destination: JSON lines, or readable ones in development. Lines are not buffered, because a crash
 * would lose the last lines, which explain it.
 */
@Injectable()
export class PinoLoggers {
  /** For everything that code logs: secrets in logged objects are redacted. */
  readonly application: Logger;

  /**
   * For request lines. They hold no secret, and redaction takes time. Without `LOG_LEVEL` a terminal shows only those with
   * status 5xx, in addition to the password that is shown once.
   */
  readonly requests: Logger;

  /** @param destination standard output by default */
  constructor({ logLevel, nodeEnv }: Settings, @Optional() destination?: DestinationStream) {
    const output = destination ?? standardOutput(nodeEnv === 'development');
    const options = {
      level: logLevel ?? 'info',
      // "info" instead of 30. Pino calls this once per level.
      formatters: { level: (level: string) => ({ level }) },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError, error: describeError },
    };
    const redact = { paths: SECRETS.flatMap(atAnyLevel), censor: '[redacted]' };
    this.application = pino({ ...options, redact }, output);
    const isTerminal = !destination && process.stdout.isTTY && nodeEnv !== 'production';
    this.requests = pino({ ...options, level: logLevel ?? (isTerminal ? 'warn' : 'info') }, output);
  }
}

const atAnyLevel = (name: string): string[] => [name, `*.${name}`, `*.*.${name}`];

/** The driver's errors carry whole documents and commands as properties; the log gets the message and the trace. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, code, cause } = error as NodeJS.ErrnoException;
  // pino leaves out what is undefined.
  return { type: name, message, stack, code, cause: describeError(cause) };
}

/** Lines that cannot be written, on a full disk for example, are kept up to this size (characters), then dropped. */
const MAX_KEPT = 2 ** 20;

function standardOutput(isReadable: boolean): DestinationStream {
  const output = pino.destination({ dest: 1, sync: true, maxLength: MAX_KEPT });
  // They are written with the next line for which there is room.
  output.on('error', () => undefined);
  const readable = isReadable ? readableLine() : undefined;
  return readable ? { write: (line) => output.write(readable(line)) } : output;
}

/** A line on a terminal: what happened, and the request that it belongs to. Other fields follow it. */
const READABLE =
  '{if context}{context}: {end}{msg}{if method} {method} {path} {status}{end}{if ms} {ms} ms{end} {requestId}';

/** Colored on a terminal, unless `NO_COLOR` or `FORCE_COLOR` says otherwise. Undefined in an installation without pino-pretty, a development dependency. */
function readableLine(): ReturnType<typeof prettyFactory> | undefined {
  let pretty: { prettyFactory: typeof prettyFactory };
  try {
    pretty = createRequire(__filename)('pino-pretty') as typeof pretty;
  } catch {
    return undefined;
  }
  return pretty.prettyFactory({
    colorize: styleText('bold', 'text') !== 'text',
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'pid,hostname,context,method,path,status,code,ms,address,requestId,traceId',
    messageFormat: READABLE,
  });
}
