import { Controller, ExecutionContext, Get, Injectable } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { settingsWith } from '../../test/support/settings';
import { Public } from '../auth/access.decorators';
import { Settings } from '../config/settings';
import { SettingsModule } from '../config/settings.module';
import { DatabaseStart } from '../database/database-start';
import { ApiExceptionFilter } from '../errors/api-exception.filter';
import { addressLimit } from './address-limit';
import { AccountLimitGuard, AvailabilityGuard } from './guards';
import { Limiters } from './limiters';
import { Overload } from './overload';
import { RateLimits } from './rate-limits';

@Controller()
class ThingsController {
  @Get('things') read(): void {}
  @Public() @Get('health/live') health(): void {}
  @Public() @Get('metrics') metrics(): void {}
}

/** Replaces authentication, which runs between these guards. */
@Injectable()
class NamedAccount {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest();
    if (request.headers['x-account']) request.access = { account: { _id: request.headers['x-account'] } };
    return true;
  }
}

async function start(env: NodeJS.ProcessEnv): Promise<NestFastifyApplication> {
  const guards = [AvailabilityGuard, NamedAccount, AccountLimitGuard];
  const limiters = { provide: Limiters, useValue: new Limiters() };
  const database = { provide: DatabaseStart, useValue: { isReadable: true, isWritable: true } };
  const module = await Test.createTestingModule({
    imports: [SettingsModule.forRoot(settingsWith(env))],
    controllers: [ThingsController],
    providers: [
      ...guards.map((useClass) => ({ provide: APP_GUARD, useClass })),
      limiters,
      database,
      RateLimits,
      Overload,
    ],
  }).compile();
  const app = module.createNestApplication<NestFastifyApplication>(new FastifyAdapter(), { logger: false });
  app.useGlobalFilters(new ApiExceptionFilter());
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', addressLimit(app, app.get(Settings)));
  return app.init();
}

describe('the limit guards', () => {
  let app: NestFastifyApplication;
  afterEach(() => app.close());

  const get = (url: string, account?: string, remoteAddress?: string) =>
    app.inject({ method: 'GET', url, remoteAddress, headers: account ? { 'x-account': account } : {} });
  const statusOf = async (...request: Parameters<typeof get>): Promise<number> => (await get(...request)).statusCode;

  it('limit an address (an IPv6 /64), whatever the account, and do not count public routes', async () => {
    app = await start({ RATE_LIMIT_PER_MINUTE: '2' });
    await get('/things', 'a', '2001:db8:1:2::1');
    for (let round = 0; round < 5; round += 1)
      expect(await statusOf('/health/live', undefined, '2001:db8:1:2::1')).toBe(200);
    expect(await statusOf('/things', 'b', '2001:db8:1:2::2')).toBe(200);
    const third = await get('/things', 'c', '2001:db8:1:2:ffff::3');
    expect([third.statusCode, third.headers['retry-after']]).toEqual([429, expect.stringMatching(/^(59|60)$/)]);
    expect(third.json()).toEqual({ status: 'fail', message: 'Too many requests. Try again later.', code: 1700 });
    expect(await statusOf('/things', 'c', '2001:db8:1:3::1')).toBe(200);
  });

  it('limit an account, whatever the address', async () => {
    app = await start({ RATE_LIMIT_PER_MINUTE: '2' });
    for (const last of [1, 2]) expect(await statusOf('/things', 'a', `192.0.2.${last}`)).toBe(200);
    expect(await statusOf('/things', 'a', '192.0.2.3')).toBe(429);
    expect(await statusOf('/things', 'b', '192.0.2.3')).toBe(200);
  });

  /** Operations are rejected like this, and nothing else is. */
  async function expectRejected(code: number, retryAfter: string): Promise<void> {
    const { statusCode, headers, json } = await get('/things');
    expect([statusCode, json().code, headers['retry-after']]).toEqual([503, code, retryAfter]);
    expect([await statusOf('/health/live'), await statusOf('/no/such/path')]).toEqual([200, 404]);
  }

  it('reject every operation during maintenance, before any limit, and nothing else', async () => {
    app = await start({ MAINTENANCE: 'on', RATE_LIMIT_PER_MINUTE: '1' });
    for (let round = 0; round < 3; round += 1) await expectRejected(1902, '120');
  });

  it('reject operations while the process is overloaded, and nothing else', async () => {
    app = await start({});
    const unbounded = { maxEventLoopDelay: Infinity, maxHeapUsed: 1, maxMemoryUsed: 1, maxMemoryHeld: 0 };
    expect(await statusOf('/things')).toBe(200);
    app.get(Overload).measure({ ...unbounded, maxHeapUsed: 0 });
    await expectRejected(1903, '10');
    app.get(Overload).measure(unbounded);
    expect(await statusOf('/things')).toBe(200);
  });

  it.each(['/metrics', '/no/such/path', '/health/nothing'])('count a request to %s by its address', async (path) => {
    app = await start({ RATE_LIMIT_PER_MINUTE: '1' });
    await get(path);
    for (const next of [path, '/things']) expect((await get(next)).json()).toMatchObject({ code: 1700 });
  });

  it('never count health checks', async () => {
    app = await start({ RATE_LIMIT_PER_MINUTE: '1' });
    for (let round = 0; round < 5; round += 1) expect(await statusOf('/health/live')).toBe(200);
    expect([await statusOf('/things'), await statusOf('/health/live')]).toEqual([200, 200]);
  });
});
