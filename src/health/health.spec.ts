import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Database, SlowRequest, startHealth } from '../../test/support/health';
import { ManagementServer } from './management-server';

describe('health', () => {
  let app: NestFastifyApplication;
  const database = new Database();
  const get = (url: string) => app.inject({ method: 'GET', url });

  beforeAll(async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    app = await startHealth({}, database);
  });
  afterEach(() => {
    jest.advanceTimersByTime(1000);
    Object.assign(database, new Database());
  });
  afterAll(async () => {
    jest.useRealTimers();
    await app.close();
  });

  it('GET /health/ready names the condition that does not hold, but not the reason', async () => {
    expect((await get('/health/ready')).json()).toEqual({ status: 'ok' });
    database.problem = { condition: 'admin', reason: 'none at 10.0.0.7' };
    const response = await get('/health/ready');
    expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '5']);
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
    const { headers, body } = await get('/metrics');
    expect(headers['content-type']).toContain('text/plain; version=0.0.4');
    for (const labels of ['route="/slow/:id",status="200"', 'route="none",status="404"'])
      expect(body).toContain(`\nhttp_request_duration_seconds_count{method="GET",${labels}} 1\n`);
    expect(body).toContain('\nhttp_requests_in_flight 1\n');
    expect(body).toContain('\ndatabase_indexes_missing 0\n');
    expect(body).toMatch(/^process_cpu_seconds_total /m);
  });
});

describe('the management port, in production', () => {
  it('has nothing but the metrics, and closes with the service', async () => {
    const app = await startHealth({ NODE_ENV: 'production', JWT_SECRET: 's'.repeat(32), MANAGEMENT_PORT: '0' });
    const base = `http://127.0.0.1:${app.get(ManagementServer).port}`;
    expect(await (await fetch(`${base}/metrics`)).text()).toContain('http_requests_in_flight 0');
    const other = await fetch(`${base}/`);
    expect([other.status, await other.json()]).toEqual([404, expect.objectContaining({ status: 'fail', code: 1301 })]);
    await app.close();
    await expect(fetch(`${base}/metrics`)).rejects.toThrow();
  });
});
