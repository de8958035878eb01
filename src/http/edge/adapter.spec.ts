import type { FastifyServerOptions } from 'fastify';
import type { Settings } from '../../config/settings';
import { fastifyOptions } from './adapter';

const optionsOf = (settings: Partial<Settings> = {}): FastifyServerOptions =>
  fastifyOptions({ trustProxy: false, ...settings } as unknown as Settings);

describe('the options of Fastify', () => {
  type Trust = (address: string, hop: number) => boolean;
  const trustOf = (trustProxy: Settings['trustProxy']): Trust => optionsOf({ trustProxy }).trustProxy as Trust;

  it('trust no proxy by default', () => expect(trustOf(false)).toBe(false));

  it('trust the proxies of TRUST_PROXY', () => {
    const addresses = ['10.0.0.1', '::1', '192.0.2.1'];
    expect(addresses.map((address) => trustOf('10.0.0.0/8,loopback')(address, 1))).toEqual([true, true, false]);
    expect(addresses.map((address) => trustOf(true)(address, 1))).toEqual([true, true, true]);
  });

  it('trust a number of proxies, starting with the nearest', () => {
    expect([0, 1, 2, 3].map((hop) => trustOf(2)('10.0.0.1', hop))).toEqual([true, true, false, false]);
  });

  it('serve requests that arrive during shutdown', () => expect(optionsOf().return503OnClosing).toBe(false));
});
