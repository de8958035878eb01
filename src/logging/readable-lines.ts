import { createRequire } from 'node:module';
import type { DestinationStream } from 'pino';
import type { PrettyOptions } from 'pino-pretty';

const REQUEST =
  '{if method}{method} {path} {status} {ms} ms{end}{if accountId} account {accountId}{end}{if requestId} ({requestId}){end}';

/**
 * Readable lines, colored on a terminal. pino-pretty is a development dependency; where it is not installed, lines stay
 * JSON.
 */
export function readableLines(): DestinationStream | undefined {
  let pretty: (options: PrettyOptions) => DestinationStream;
  try {
    pretty = createRequire(__filename)('pino-pretty') as typeof pretty;
  } catch {
    return undefined;
  }
  return pretty({
    colorize: process.stdout.isTTY,
    sync: true,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'pid,hostname,context,method,path,status,ms,requestId,accountId',
    messageFormat: `${REQUEST}{if context}{context}: {end}{msg}`,
  });
}
