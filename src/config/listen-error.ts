import { StartError } from './start-error';

/** Where something was to listen, and the setting that says so. */
export interface Place {
  readonly host: string;
  readonly port: number;
  readonly setting: 'PORT' | 'MANAGEMENT_PORT';
}

/** What the system says of a place that cannot be listened at, and what to do then. */
const ADVICE: Readonly<Record<string, (setting: string) => string>> = {
  EADDRINUSE: (setting) =>
    `something else listens there; stop it, or set ${setting} to another (0 for any that is free)`,
  EACCES: (setting) => `this user may not; set ${setting} to one above 1023`,
  EADDRNOTAVAIL: () => 'this machine has no such address; set HOST to one of its own, or to 0.0.0.0 for all',
  ENOTFOUND: () => 'the name leads to no address; set HOST to an address of this machine',
};

/**
 * What to throw for an error of listening at a place: a StartError that says what to do, where there is something.
 * Other errors, those of listening elsewhere among them, are given back as they are.
 */
export function listenError(error: unknown, { host, port, setting }: Place): unknown {
  const { code = '', syscall = '', port: failed = port } = error as NodeJS.ErrnoException & { port?: number };
  const advice = ADVICE[code]?.(setting);
  if (advice === undefined || !['listen', 'getaddrinfo'].includes(syscall) || failed !== port) return error;
  return new StartError(`Roster cannot listen at ${host}, port ${port}: ${advice}.`, { cause: error });
}
