import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Settings } from './config/settings';
import { StartError } from './config/start-error';

/** What the system says of an address that cannot be listened at, and what to do then. */
const ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'something else listens there; stop it, or set PORT to another (0 for any that is free)',
  EACCES: 'this user may not; set PORT to one above 1023',
  EADDRNOTAVAIL: 'this machine has no such address; set HOST to one of its own, or to 0.0.0.0 for all',
  ENOTFOUND: 'the name leads to no address; set HOST to an address of this machine',
};

/**
 * Lets the service take requests at `HOST` and `PORT`.
 * @throws StartError when it cannot listen there
 */
export async function listen(app: NestFastifyApplication, { host, port }: Settings): Promise<void> {
  try {
    await app.listen(port, host);
  } catch (error) {
    const { code = '', syscall } = error as NodeJS.ErrnoException;
    const advice = ADVICE[code];
    if (advice === undefined || !['listen', 'getaddrinfo'].includes(syscall ?? '')) throw error;
    throw new StartError(`The service cannot listen at ${host}, port ${port}: ${advice}.`, { cause: error });
  }
}
