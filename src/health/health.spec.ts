import { Controller, Get } from '@nestjs/common';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { readSettings } from '../config/read-settings';
import { SettingsModule } from '../config/settings.module';
import { ApiExceptionFilter } from '../errors/api-exception.filter';
import { HealthModule } from './health.module';
import { ManagementServer } from './management-server';
import { Readiness } from './readiness';

@Controller('slow')
class SlowController {
  @Get(':id')
  slow(): Promise<string> {
    return sleep(300, 'done');
  }
}

async function start(env: NodeJS.ProcessEnv): Promise<NestFastifyApplication> {
  const settings = readSettings({ NODE_ENV: 'test', ...env });
  const module = await Test.createTestingModule({
    imports: [SettingsModule.forRoot(settings), HealthModule.forRoot(settings)],
    controllers: [SlowController],
  }).compile();
  const app = module.createNestApplication<NestFastifyApplication>(new FastifyAdapter(), { logger: false });
  app.useGlobalFilters(new ApiExceptionFilter());
  return app.init();
}

describe('health', () => {
  let app: NestFastifyApplication;
  const get = (url: string) => app.inject({ method: 'GET', url });

  beforeAll(async () => {
    app = await start({ BASE_PATH: '/registry' });
  });
  afterAll(() => app.close());

  it('GET / leads on, under the base path', async () => {
    expect((await get('/')).json()).toEqual({
      name: 'Roster',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      docs: '/registry/docs',
      openapi: '/registry/openapi.json',
      live: '/registry/health/live',
      ready: '/registry/health/ready',
    });
  });

  it('GET /health/ready answers 200 while every condition holds, and names those that do not, never why', async () => {
    const readiness = app.get(Readiness);
    readiness.set('admin', true);
    expect((await get('/health/ready')).statusCode).toBe(200);

    readiness.set('admin', 'none at 10.0.0.7');
    readiness.set('indexes', 'being built');
    const answer = await get('/health/ready');
    expect(answer.statusCode).toBe(503);
    expect(answer.headers['retry-after']).toBe('5');
    expect(answer.json()).toEqual({ status: 'fail', message: 'Not ready: admin, indexes.', code: 1901 });
    expect((await get('/health/live')).statusCode).toBe(200);

    readiness.set('admin', true);
    readiness.set('indexes', true);
    expect((await get('/health/ready')).statusCode).toBe(200);
  });

  it('GET /health/ready does not wait for a condition that hangs', async () => {
    const readiness = app.get(Readiness);
    readiness.probe('database', () => new Promise(() => undefined));
    const start = performance.now();
    expect((await get('/health/ready')).json().message).toBe('Not ready: database.');
    expect(performance.now() - start).toBeLessThan(2500);
    readiness.probe('database', () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7')));
    expect((await get('/health/ready')).json().message).toBe('Not ready: database.');
    readiness.probe('database', () => Promise.resolve());
    expect((await get('/health/ready')).statusCode).toBe(200);
  });

  it('GET /metrics counts requests by method, route pattern and status, and tells of the process', async () => {
    await get('/slow/1');
    await get('/no/such/path');
    const answer = await get('/metrics');
    expect(answer.headers['content-type']).toContain('text/plain; version=0.0.4');
    expect(answer.body).toMatch(
      /^http_request_duration_seconds_count\{method="GET",route="\/slow\/:id",status="200"\} 1$/m,
    );
    expect(answer.body).toMatch(/_count\{method="GET",route="none",status="404"\} 1$/m);
    expect(answer.body).toMatch(/^http_requests_in_flight 1$/m);
    expect(answer.body).toMatch(/^process_cpu_seconds_total /m);
  });
});

describe('metrics over sockets', () => {
  it('a client that went away is counted as 499 and no longer in flight', async () => {
    const app = await start({});
    await app.listen(0, '127.0.0.1');
    const { port } = new URL(await app.getUrl());
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('GET /slow/1 HTTP/1.1\r\nHost: x\r\n\r\n');
    await sleep(100);
    socket.destroy();
    await sleep(100);
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(text).toMatch(/^http_requests_in_flight 1$/m);
    expect(text).toMatch(/route="\/slow\/:id",status="499"\} 1$/m);
    await app.close();
  });
});

describe('metrics in production', () => {
  const production = { NODE_ENV: 'production', MONGODB_URI: 'mongodb://a', JWT_SECRET: 's'.repeat(32) };

  it('are on the management port only, which closes with the service', async () => {
    const app = await start({ ...production, MANAGEMENT_PORT: '0' });
    const base = `http://127.0.0.1:${app.get(ManagementServer).port}`;
    expect((await app.inject({ method: 'GET', url: '/metrics' })).statusCode).toBe(404);
    const answer = await fetch(`${base}/metrics`);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('http_requests_in_flight 0');
    const other = await fetch(`${base}/`);
    expect([other.status, await other.json()]).toEqual([404, expect.objectContaining({ status: 'fail', code: 1301 })]);
    await app.close();
    await expect(fetch(`${base}/metrics`)).rejects.toThrow();
  });
});
