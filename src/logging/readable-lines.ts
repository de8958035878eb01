import { createRequire } from 'node:module';
import type { DestinationStream } from 'pino';
import type { PrettyOptions } from 'pino-pretty';

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
    messageFormat: (line, messageKey) => messageOf(line, messageKey),
  });
}

function messageOf(line: Record<string, unknown>, messageKey: string): string {
  const text = line as Record<string, string | number | undefined>;
  if (text.method !== undefined) {
    const account = text.accountId === undefined ? '' : ` account ${text.accountId}`;
    return `${text.method} ${text.path} ${text.status} ${text.ms} ms${account} (${text.requestId})`;
  }
  const message = text[messageKey] ?? '';
  return text.context === undefined ? `${message}` : `${text.context}: ${message}`;
}
