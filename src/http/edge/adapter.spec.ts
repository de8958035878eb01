import type { FastifyServerOptions } from 'fastify';
import type { Settings } from '../../config/settings';
import { fastifyOptions } from './adapter';

const optionsOf = (settings: Partial<Settings> = {}): FastifyServerOptions =>
  fastifyOptions({ trustProxy: false, ...settings } as unknown as Settings);

describe('the options of Fastify', () => {
  it.each([false, '10.0.0.0/8'])('pass on which proxies are trusted: %j', (trustProxy) => {
    expect(optionsOf({ trustProxy }).trustProxy).toBe(trustProxy);
  });

  it('trust a number of proxies, starting with the nearest', () => {
    const trusts = optionsOf({ trustProxy: 2 }).trustProxy as (address: string, hop: number) => boolean;
    expect([0, 1, 2, 3].map((hop) => trusts('10.0.0.1', hop))).toEqual([true, true, false, false]);
  });

  it('serve requests that arrive during shutdown', () => expect(optionsOf().return503OnClosing).toBe(false));
});
