import { compile } from '@fastify/proxy-addr';
import type { Settings } from '../../config/settings';

/** Checks whether a sender is a trusted proxy. `hop` counts from 0, the sender at the other end of the connection. */
export type Trust = (address: string, hop: number) => boolean;

/** The proxies of `TRUST_PROXY` in the form that Fastify uses itself; it accepts a number of them only as a function. */
export function trustOf(trustProxy: Settings['trustProxy']): Trust | false {
  if (typeof trustProxy === 'boolean') return trustProxy && (() => true);
  if (typeof trustProxy === 'number') return (_address, hop) => hop < trustProxy;
  return compile(trustProxy.split(','));
}
