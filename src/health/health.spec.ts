import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Database, SlowRequest, startHealth } from '../../test/support/health';
import { ManagementServer } from './management-server';

describe('health', () => {
  let app: NestFastifyApplication;
  const database = new Database();
  const get = (path: string) => app.inject({ method: 'GET', url: `/registry${path}` });

  beforeAll(async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    app = await startHealth({ BASE_PATH: '/registry' }, database);
  });
  afterEach(async () => {
    jest.advanceTimersByTime(1000);
    Object.assign(database, new Database());
    await get('/health/ready');
    jest.advanceTimersByTime(1000);
  });
  afterAll(async () => {
    jest.useRealTimers();
    await app.close();
  });

  it('GET /health/ready names the condition that does not hold', async () => {
    expect((await get('/health/ready')).json()).toEqual({ status: 'ok' });
    database.unmetCondition = 'admin';
    const response = await get('/health/ready');
    expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '5']);
    expect(response.json()).toEqual({ status: 'fail', message: 'Not ready: admin.', code: 1901 });
    expect((await get('/health/live')).json()).toEqual({ status: 'ok' });
  });

  /** Lets one write fail and its result expire: the next one counts. */
  async function failOnce(): Promise<void> {
    database.write = () => Promise.reject(new Error('not primary'));
    expect((await get('/health/ready')).statusCode).toBe(200);
    jest.advanceTimersByTime(1000);
  }

  it('GET /health/ready needs two writes in a row that fail', async () => {
    await failOnce();
    database.write = () => Promise.resolve();
    expect((await get('/health/ready')).statusCode).toBe(200);
    jest.advanceTimersByTime(1000);
    await failOnce();
    expect((await get('/health/ready')).json().message).toBe('Not ready: database.');
  });

  it('GET /health/ready asks whether the database can store, once per second for all callers', async () => {
    await failOnce();
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
    await failOnce();
    const written = new Promise<void>((resolve) => (database.write = () => new Promise(() => resolve())));
    const response = get('/health/ready');
    await written;
    jest.advanceTimersByTime(1000);
    expect((await response).json().message).toBe('Not ready: database.');
  });

  it('GET /metrics counts requests by method, route pattern without the base path, and status, and has those of the process', async () => {
    app.get(SlowRequest).end();
    await get('/slow/1');
    await get('/no/such/path');
    const { headers, body } = await get('/metrics');
    expect(headers['content-type']).toContain('text/plain; version=0.0.4');
    for (const labels of ['route="/slow/:id",status="200"', 'route="none",status="404"'])
      expect(body).toContain(`\nroster_http_request_duration_seconds_count{method="GET",${labels}} 1\n`);
    expect(body).toContain('\nroster_http_requests_in_flight 1\n');
    expect(body).toContain('\nroster_database_indexes_missing 0\n');
    expect(body).toMatch(/^process_cpu_seconds_total /m);
    // Read by functions of Node.js that are not public and can abort the process.
    expect(body).not.toMatch(/nodejs_active_(?:handles|requests)/);
  });
});

it('GET /metrics leaves out the records of a database that does not count within a second', async () => {
  const path = (): object => ({ instance: 'ObjectId' });
  let asked: () => void;
  const isAsked = new Promise<void>((resolve) => (asked = resolve));
  const hanging = {
    schema: { path },
    collection: { name: 'users' },
    estimatedDocumentCount: () => new Promise(() => asked()),
  };
  const app = await startHealth({}, new Database(), { User: hanging });
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  const response = app.inject('/metrics');
  await isAsked;
  jest.advanceTimersByTime(1000);
  expect((await response).body).toContain('roster_build_info');
  expect((await response).body).not.toContain('roster_records{');
  jest.useRealTimers();
  await app.close();
});

describe('the management port, in production', () => {
  it('has nothing but the metrics, and closes with the service', async () => {
    const app = await startHealth({ NODE_ENV: 'production', JWT_SECRET: 's'.repeat(32), MANAGEMENT_PORT: '0' });
    const url = app.get(ManagementServer).url;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
    expect(await (await fetch(url)).text()).toContain('roster_http_requests_in_flight 0');
    const other = await fetch(new URL('/', url));
    expect([other.status, await other.json()]).toEqual([404, expect.objectContaining({ status: 'fail', code: 1301 })]);
    await app.close();
    await expect(fetch(url)).rejects.toThrow();
  });

  it('listens at MANAGEMENT_HOST', async () => {
    const settings = { NODE_ENV: 'production', JWT_SECRET: 's'.repeat(32), MANAGEMENT_PORT: '0' };
    const app = await startHealth({ ...settings, MANAGEMENT_HOST: '127.0.0.2' });
    const url = app.get(ManagementServer).url;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.2:\d+\/metrics$/);
    expect((await fetch(url)).status).toBe(200);
    await app.close();
  });
});
