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

const STARTING: Start = { isReadable: false, unmetCondition: 'database' };

const contextOf = (request: object): ExecutionContext => new ExecutionContextHost([request]);

/** The response of a server whose database is in this state. */
async function responseOf(env: NodeJS.ProcessEnv, start: Start, isOverloaded: boolean, method: 'GET' | 'PUT') {
  const settings = settingsWith(env);
  const overload = Object.assign(new Overload(settings), { present: isOverloaded });
  const provided = new Map<unknown, unknown>([
    [Overload, overload],
    [DatabaseStart, start],
  ]);
  const app = { get: (token: unknown) => provided.get(token) } as NestFastifyApplication;
  const server = fastify().decorate('errorsPath', undefined);
  server.addHook('onRequest', requireAvailable(app, settings));
  server.all('/things', () => ({ code: undefined }));
  const { headers, payload } = await server.inject({ method, url: '/things' });
  return [JSON.parse(payload).code, headers['retry-after']] as unknown[];
}

it.each(['GET', 'PUT'] as const)(
  '%s is refused by maintenance before an overload, and then by the start',
  async (method) => {
    expect(await responseOf({ MAINTENANCE: 'on' }, STARTING, true, method)).toEqual([1902, '120']);
    expect(await responseOf({}, STARTING, true, method)).toEqual([1903, '10']);
    expect(await responseOf({}, STARTING, false, method)).toEqual([1901, expect.any(String)]);
    const [code] = await responseOf({}, { isReadable: true, unmetCondition: 'admin' }, false, method);
    expect(code).toBe(method === 'GET' ? undefined : 1901);
  },
);

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
