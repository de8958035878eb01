import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import fastify from 'fastify';
import { settingsWith } from '../../../../test/support/settings';
import { addressLimit } from './guards';
import { Limiters } from './limiters';
import { Overload } from './overload';
import { RateLimits } from './rate-limits';

/** Sends requests from one address, one after another, under a base path. */
async function statuses(...urls: string[]) {
  const settings = settingsWith({ RATE_LIMIT_PER_MINUTE: '1', BASE_PATH: '/api' });
  const provided = new Map<unknown, unknown>([
    [Overload, new Overload(settings)],
    [RateLimits, new RateLimits(settings, new Limiters())],
  ]);
  const app = { get: (token: unknown) => provided.get(token) } as NestFastifyApplication;
  const server = fastify();
  server.addHook('onRequest', addressLimit(app, settings));
  for (const url of ['/api/users', '/health/live', '/api/health/live']) server.get(url, () => Promise.resolve('found'));
  const responses: number[] = [];
  for (const url of urls) responses.push((await server.inject({ url, remoteAddress: '192.0.2.1' })).statusCode);
  return responses;
}

it('the limit of an address counts no health checks below the base path, and nothing that only looks like one', async () => {
  const health = '/api/health/live';
  expect(await statuses(health, `${health}?x=1`, '/api/users', health)).toEqual([200, 200, 200, 200]);
  for (const url of ['/api/health/nothing', '/api/health', '/health/live'])
    expect((await statuses(url, '/api/users')).at(-1)).toBe(429);
});
