import type { ExecutionContext } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import fastify from 'fastify';
import { settingsWith } from '../../../../test/support/settings';
import { DatabaseStart } from '../../records/start/database-start';
import { AccountLimitGuard, addressLimit, requireAvailable } from './guards';
import { Limiters } from './limiters';
import { Overload } from './overload';
import { RateLimits } from './rate-limits';

type Start = Pick<DatabaseStart, 'isReadable' | 'unmetCondition'>;

const READY: Start = { isReadable: true, unmetCondition: undefined };
const STARTING: Start = { isReadable: false, unmetCondition: 'database' };

const contextOf = (request: object): ExecutionContext => new ExecutionContextHost([request]);

/** Starts a server on a database in this state. @returns how it responds */
function serverWith(env: NodeJS.ProcessEnv, start: Start, isOverloaded = false) {
  const settings = settingsWith(env);
  const overload = new Overload(settings);
  overload.present = isOverloaded;
  const provided = new Map<unknown, unknown>([
    [Overload, overload],
    [DatabaseStart, start],
  ]);
  const app = { get: (token: unknown) => provided.get(token) } as NestFastifyApplication;
  const server = fastify().decorate('errorsPath', undefined);
  server.addHook('onRequest', requireAvailable(app, settings));
  server.all('/things', () => ({ code: undefined }));
  for (const path of PATHS) server.get(settings.basePath + path || '/', () => ({ code: undefined }));
  return async (method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE', url = '/things') => {
    const { headers, statusCode, payload } = await server.inject({ method, url });
    const { code } = JSON.parse(payload || '{}') as { code?: number };
    return { code: method === 'HEAD' && statusCode === 503 ? 1901 : code, wait: headers['retry-after'] };
  };
}

const PATHS = [
  '',
  '/docs',
  '/docs/',
  '/docs/limits',
  '/openapi.json',
  '/health/live',
  '/metrics',
  '/docsx',
  '/metrics/x',
];

describe('operations', () => {
  it.each<[string, Start, { reads?: number; writes?: number }]>([
    ['are served once the start has finished', READY, {}],
    ['are refused at first', STARTING, { reads: 1901, writes: 1901 }],
    ['that read come first', { isReadable: true, unmetCondition: 'admin' }, { writes: 1901 }],
    ['that read can be refused alone', { isReadable: false, unmetCondition: undefined }, { reads: 1901 }],
  ])('%s', async (_title, start, { reads, writes }) => {
    const send = serverWith({}, start);
    for (const method of ['GET', 'HEAD'] as const) expect((await send(method)).code).toBe(reads);
    for (const method of ['POST', 'PUT', 'DELETE'] as const) expect((await send(method)).code).toBe(writes);
  });

  it('are refused by maintenance before an overload, and by that before the database', async () => {
    for (const method of ['GET', 'PUT'] as const) {
      const maintained = await serverWith({ MAINTENANCE: 'on' }, STARTING, true)(method);
      expect(maintained).toEqual({ code: 1902, wait: '120' });
      expect(await serverWith({}, STARTING, true)(method)).toEqual({ code: 1903, wait: '10' });
    }
  });

  it.each(['', '/base'])('are refused, and pages are not, below "%s"', async (base) => {
    const send = serverWith({ MAINTENANCE: 'on', BASE_PATH: base }, READY);
    const codes = PATHS.map(async (path) => (await send('GET', base + path || '/')).code);
    expect(await Promise.all(codes)).toEqual([...Array(7).fill(undefined), 1902, 1902]);
  });
});

test('The limit of an account counts its requests, and none without an account', async () => {
  const guard = new AccountLimitGuard(new RateLimits(settingsWith({ RATE_LIMIT_PER_MINUTE: '1' }), new Limiters()));
  const send = (access?: object): Promise<boolean> => guard.canActivate(contextOf({ access }));
  const [one, other] = [{ account: { _id: 'a' } }, { account: { _id: 'b' } }];
  for (const access of [one, other, {}, {}, undefined, undefined]) expect(await send(access)).toBe(true);
  for (const access of [one, other]) await expect(send(access)).rejects.toMatchObject({ code: 1700 });
});

describe('the limit of an address', () => {
  /** Sends requests from one address, one after another. */
  async function statuses(urls: string[], env: NodeJS.ProcessEnv = {}, prepare?: (overload: Overload) => void) {
    const settings = settingsWith({ RATE_LIMIT_PER_MINUTE: '1', ...env });
    const overload = new Overload(settings);
    prepare?.(overload);
    const provided = new Map<unknown, unknown>([
      [Overload, overload],
      [RateLimits, new RateLimits(settings, new Limiters())],
    ]);
    const app = { get: (token: unknown) => provided.get(token) } as NestFastifyApplication;
    const server = fastify();
    server.addHook('onRequest', addressLimit(app, settings));
    for (const url of ['/users', '/api/users', '/health/live', '/api/health/live', '/health'])
      server.get(url, () => Promise.resolve('found'));
    const responses: number[] = [];
    for (const url of urls) responses.push((await server.inject({ url, remoteAddress: '192.0.2.1' })).statusCode);
    return responses;
  }

  it('counts requests on known and unknown paths alike', async () => {
    expect(await statuses(['/users', '/users', '/nothing'])).toEqual([200, 429, 429]);
    expect(await statuses(['/nothing', '/users'])).toEqual([404, 429]);
  });

  it('counts no health checks below the base path, and nothing else that only looks like one', async () => {
    expect(await statuses(['/health/live', '/health/live?x=1', '/users', '/health/live'])).toEqual([
      200, 200, 200, 200,
    ]);
    const env = { BASE_PATH: '/api' };
    expect(await statuses(['/api/health/live', '/api/health/live', '/health/live'], env)).toEqual([200, 200, 200]);
    for (const url of ['/health/nothing', '/health', '/nothing/health/live'])
      expect((await statuses([url, '/users'])).at(-1)).toBe(429);
    expect(await statuses(['/health/live', '/api/users'], env)).toEqual([200, 429]);
  });

  it('counts nothing during maintenance or an overload, so no new address is remembered', async () => {
    expect(await statuses(['/users', '/users'], { MAINTENANCE: 'on' })).toEqual([200, 200]);
    expect(await statuses(['/users', '/users'], {}, (overload) => (overload.present = true))).toEqual([200, 200]);
  });
});
