import { visibleText } from '../text/text';

/** A failed start that the operator can fix: the message says what to do, so no stack trace is needed. */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}

/** The error of a failed start as the operator reads it: an unexpected error comes with its stack trace. */
export function startErrorText(error: unknown): string {
  if (error instanceof StartError) return visibleText(error.message);
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Address for a server to listen at, and the setting of its port. */
interface ListenAddress {
  readonly host: string;
  readonly port: number;
  readonly setting: 'PORT' | 'MANAGEMENT_PORT';
}

/** Turns an error of listening there into a StartError with advice. Returns all other errors as they are. */
export function listenError(error: unknown, { host, port, setting }: ListenAddress): unknown {
  const { code, syscall = '', message } = error as NodeJS.ErrnoException;
  if (!['listen', 'getaddrinfo'].includes(syscall)) return error;
  const other = `choose a port: ${setting}=${port < 65535 ? port + 1 : port - 1} npm start`;
  const advice =
    code === 'EADDRINUSE'
      ? `Port ${port} on ${host} is in use. Stop the other program, or ${other}`
      : `Cannot listen on ${host}, port ${port}: ${message}. Change ${setting} or ${setting.replace('PORT', 'HOST')}.`;
  return new StartError(advice, { cause: error });
}
