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

/** Advice for error codes of the system. */
const ADVICE: Readonly<Record<string, (address: ListenAddress) => string>> = {
  EADDRINUSE: ({ host, port, setting }) => {
    const other = port < 65535 ? port + 1 : port - 1;
    return `Port ${port} on ${host} is in use. Stop the other program, or choose a port: ${setting}=${other} npm start`;
  },
  EACCES: ({ port, setting }) => `This user may not open port ${port}. Set ${setting} to a port above 1023.`,
  EADDRNOTAVAIL: ({ host, setting }) =>
    `This machine does not have the address ${host}. Set ${setting.replace('PORT', 'HOST')} to one that it has, or to 0.0.0.0 for all.`,
  ENOTFOUND: ({ host, setting }) =>
    `The host name ${host} cannot be resolved. Set ${setting.replace('PORT', 'HOST')} to an address of this machine.`,
};

/** Turns an error of listening there into a StartError with advice. Returns all other errors as they are. */
export function listenError(error: unknown, address: ListenAddress): unknown {
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException;
  const advice = ['listen', 'getaddrinfo'].includes(syscall) ? ADVICE[code]?.(address) : undefined;
  return advice === undefined ? error : new StartError(advice, { cause: error });
}
