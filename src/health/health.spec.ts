import { once } from 'node:events';
import { connect } from 'node:net';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Database, SlowRequest, startHealth } from '../../test/support/health';
import { ManagementServer } from './management-server';

describe('health', () => {
  let app: NestFastifyApplication;
  const database = new Database();
  const get = (url: string) => app.inject({ method: 'GET', url });

  beforeAll(async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    app = await startHealth({ BASE_PATH: '/registry' }, database);
  });
  afterEach(() => {
    jest.advanceTimersByTime(1000);
    Object.assign(database, new Database());
  });
  afterAll(async () => {
    jest.useRealTimers();
    await app.close();
  });

  it('GET / has links, with the base path', async () => {
    expect((await get('/')).json()).toEqual({
      name: 'Roster',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      docs: '/registry/docs',
      openapi: '/registry/openapi.json',
      live: '/registry/health/live',
      ready: '/registry/health/ready',
    });
  });

  it('GET /health/ready names the condition that does not hold, but not the reason', async () => {
    expect((await get('/health/ready')).json()).toEqual({ status: 'ok' });
    database.problem = { condition: 'admin', reason: 'none at 10.0.0.7' };
    const response = await get('/health/ready');
    expect(response.statusCode).toBe(503);
    expect(response.headers['retry-after']).toBe('5');
    expect(response.json()).toEqual({ status: 'fail', message: 'Not ready: admin.', code: 1901 });
    expect((await get('/health/live')).json()).toEqual({ status: 'ok' });
  });

  it('GET /health/ready asks whether the database can store, once per second for all callers', async () => {
    const write = jest.fn(() => Promise.reject(new Error('No space left on device')));
    database.write = write;
    const responses = await Promise.all([get('/health/ready'), get('/health/ready')]);
    for (const response of responses) expect(response.json().message).toBe('Not ready: database.');
    jest.advanceTimersByTime(999);
    expect((await get('/health/ready')).statusCode).toBe(503);
    expect(write).toHaveBeenCalledTimes(1);
    database.write = () => Promise.resolve();
    jest.advanceTimersByTime(1);
    expect((await get('/health/ready')).statusCode).toBe(200);
  });

  it('GET /health/ready waits a second for a database that hangs', async () => {
    const written = new Promise<void>((resolve) => (database.write = () => new Promise(() => resolve())));
    const response = get('/health/ready');
    await written;
    jest.advanceTimersByTime(1000);
    expect((await response).json().message).toBe('Not ready: database.');
  });

  it('GET /metrics counts requests by method, route pattern and status, and has those of the process', async () => {
    app.get(SlowRequest).end();
    await get('/slow/1');
    await get('/no/such/path');
    const response = await get('/metrics');
    expect(response.headers['content-type']).toContain('text/plain; version=0.0.4');
    expect(response.body).toMatch(
      /^http_request_duration_seconds_count\{method="GET",route="\/slow\/:id",status="200"\} 1$/m,
    );
    expect(response.body).toMatch(/_count\{method="GET",route="none",status="404"\} 1$/m);
    expect(response.body).toMatch(/^http_requests_in_flight 1$/m);
    expect(response.body).toMatch(/^database_indexes_missing 0$/m);
    expect(response.body).toMatch(/^process_cpu_seconds_total /m);
  });
});

describe('metrics over sockets', () => {
  it('count a client that disconnected as 499, and no longer as in flight', async () => {
    const app = await startHealth();
    await app.listen(0, '127.0.0.1');
    const { port } = new URL(await app.getUrl());
    const metrics = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('GET /slow/1 HTTP/1.1\r\nHost: x\r\n\r\n');
    await app.get(SlowRequest).arrived;
    expect(await metrics()).toMatch(/^http_requests_in_flight 2$/m);
    socket.destroy();
    await once(socket, 'close');
    let text = '';
    while (!text.includes('status="499"')) text = await metrics();
    expect(text).toMatch(/^http_requests_in_flight 1$/m);
    expect(text).toMatch(/route="\/slow\/:id",status="499"\} 1$/m);
    app.get(SlowRequest).end();
    await app.close();
  });
});

describe('metrics in production', () => {
  it('are on the management port only, which closes with the service', async () => {
    const app = await startHealth({ NODE_ENV: 'production', JWT_SECRET: 's'.repeat(32), MANAGEMENT_PORT: '0' });
    const base = `http://127.0.0.1:${app.get(ManagementServer).port}`;
    expect((await app.inject({ method: 'GET', url: '/metrics' })).statusCode).toBe(404);
    const response = await fetch(`${base}/metrics`);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('http_requests_in_flight 0');
    const other = await fetch(`${base}/`);
    expect([other.status, await other.json()]).toEqual([404, expect.objectContaining({ status: 'fail', code: 1301 })]);
    await app.close();
    await expect(fetch(`${base}/metrics`)).rejects.toThrow();
  });
});
