import type { ExecutionContext } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import fastify from 'fastify';
import { settingsWith } from '../../../../test/support/settings';
import { Public } from '../../http/access/decorators';
import type { DatabaseStart } from '../../records/connection/database-start';
import { AccountLimitGuard, addressLimit, Availability, AvailabilityGuard } from './guards';
import { Limiters } from './limiters';
import { Overload } from './overload';
import { RateLimits } from './rate-limits';

type Start = Pick<DatabaseStart, 'isReadable' | 'unmetCondition'>;

const READY: Start = { isReadable: true, unmetCondition: undefined };
const STARTING: Start = { isReadable: false, unmetCondition: 'database' };
const UNAVAILABLE = 'databaseUnavailable';

class Users {}

@Public()
class Health {}

const contextOf = (request: object, type: typeof Users = Users): ExecutionContext =>
  new ExecutionContextHost([request], type, () => undefined);

/** What is available with these settings, on a database in this state. */
function availability(env: NodeJS.ProcessEnv, start: Start, isOverloaded = false): Availability {
  const settings = settingsWith(env);
  const overload = new Overload(settings);
  overload.present = isOverloaded;
  return new Availability(settings, overload, start as DatabaseStart);
}

describe('availability', () => {
  it.each<[string, Start, { reads?: string; writes?: string }]>([
    ['is there for all once the start has finished', READY, {}],
    ['is missing at first', STARTING, { reads: UNAVAILABLE, writes: UNAVAILABLE }],
    ['comes for reads first', { isReadable: true, unmetCondition: 'admin' }, { writes: UNAVAILABLE }],
    ['can be missing for reads alone', { isReadable: false, unmetCondition: undefined }, { reads: UNAVAILABLE }],
  ])('%s', (_title, start, { reads, writes }) => {
    const errors = (...methods: string[]) =>
      methods.map((method) => availability({}, start).errorFor(method)?.errorName);
    expect(errors('GET', 'HEAD')).toEqual([reads, reads]);
    expect(errors('POST', 'PUT', 'DELETE')).toEqual([writes, writes, writes]);
  });

  it('is refused by maintenance before an overload, and by that before the database', () => {
    for (const method of ['GET', 'PUT']) {
      const maintained = availability({ MAINTENANCE: 'on' }, STARTING, true).errorFor(method);
      expect(maintained).toMatchObject({ errorName: 'maintenance', headers: { 'retry-after': '120' } });
      const overloaded = availability({}, STARTING, true).errorFor(method);
      expect(overloaded).toMatchObject({ errorName: 'overloaded', headers: { 'retry-after': '10' } });
    }
  });

  it('is asked for by operations, and not by what is public', () => {
    const guard = new AvailabilityGuard(availability({ MAINTENANCE: 'on' }, READY));
    const open = new AvailabilityGuard(availability({}, READY));
    const request = { method: 'GET' };
    expect(() => guard.canActivate(contextOf(request))).toThrow(expect.objectContaining({ code: 1902 }) as Error);
    expect(guard.canActivate(contextOf(request, Health))).toBe(true);
    expect(open.canActivate(contextOf(request))).toBe(true);
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
