import Fastify, { type FastifyServerOptions } from 'fastify';
import type { Settings } from '../../config/settings';
import { fastifyOptions } from './fastify-options';

const optionsOf = (settings: Partial<Settings> = {}): FastifyServerOptions =>
  fastifyOptions({ bodyLimit: 100, corsOrigins: [], trustProxy: false, ...settings } as unknown as Settings);

describe('the options of Fastify', () => {
  it.each([false, '10.0.0.0/8'])('hand over which proxies are trusted: %j', (trustProxy) => {
    expect(optionsOf({ trustProxy }).trustProxy).toBe(trustProxy);
  });

  it('trust a number of proxies, from the nearest one on', () => {
    const trusts = optionsOf({ trustProxy: 2 }).trustProxy as (address: string, hop: number) => boolean;
    expect([0, 1, 2, 3].map((hop) => trusts('10.0.0.1', hop))).toEqual([true, true, false, false]);
  });

  it('answer requests that come while the service closes', () => expect(optionsOf().return503OnClosing).toBe(false));

  it('give errors of the framework the form of every failure', async () => {
    const { frameworkErrors } = optionsOf();
    const answer = await Fastify({ frameworkErrors }).inject('/%zz');
    expect(answer.json()).toMatchObject({ status: 'fail', code: 1006 });
    expect(answer.statusCode).toBe(400);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    });
  });
});
