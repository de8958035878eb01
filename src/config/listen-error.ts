import { StartError } from './start-error';

/** Where the service was to listen, and the setting of the port. */
export interface Place {
  readonly host: string;
  readonly port: number;
  readonly setting: 'PORT' | 'MANAGEMENT_PORT';
}

/** What the system's error codes mean, and what to do. */
const ADVICE: Readonly<Record<string, (place: Place) => string>> = {
  EADDRINUSE: ({ host, port, setting }) =>
    `Port ${port} on ${host} is in use. Stop the other program, or choose a port: ${setting}=${port + 1} npm start`,
  EACCES: ({ port, setting }) => `This user may not open port ${port}. Set ${setting} to a port above 1023.`,
  EADDRNOTAVAIL: ({ host }) =>
    `This machine does not have the address ${host}. Set HOST to one that it has, or to 0.0.0.0 for all.`,
  ENOTFOUND: ({ host }) => `The host name ${host} cannot be resolved. Set HOST to an address of this machine.`,
};

/**
 * What to throw when listening failed: a StartError that says what to do, where that is known. Other errors are returned
 * as they are, including those of listening elsewhere.
 */
export function listenError(error: unknown, place: Place): unknown {
  const { code = '', syscall = '', port: failed = place.port } = error as NodeJS.ErrnoException & { port?: number };
  const advice = ADVICE[code]?.(place);
  if (advice === undefined || !['listen', 'getaddrinfo'].includes(syscall) || failed !== place.port) return error;
  return new StartError(advice, { cause: error });
}
