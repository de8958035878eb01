import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { exchange, request } from './raw-client';
import { startWireApp } from './wire-app';

const ORIGIN = 'https://pages.example';

describe('the headers of every answer', () => {
  let app: NestFastifyApplication;
  let port: number;

  beforeAll(async () => {
    ({ app, port } = await startWireApp({ corsOrigins: [ORIGIN], trustProxy: '127.0.0.1' }));
  });
  afterAll(() => app.close());

  test.each([
    ['a success', request('GET', '/things')],
    ['a 401', 'GET /things HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a 404', request('GET', '/nothing')],
    ['a 405', request('PATCH', '/things')],
    ['a 204', request('OPTIONS', '/things')],
    ['a 400 of the parser', 'x\r\n\r\n'],
    ['a 417', request('GET', '/things', { Expect: 'tea' })],
  ])('%s has a request id, security headers and Cache-Control, and names no software', async (_name, data) => {
    const { headers } = await exchange(port, data);
    expect(headers).toMatchObject({
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, no-cache',
    });
    expect(headers).not.toHaveProperty('server');
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('strict-transport-security');
  });

  test('request ids are our own and differ', async () => {
    const data = request('GET', '/things', { 'X-Request-Id': 'mine' });
    const ids = [await exchange(port, data), await exchange(port, data)].map(({ headers }) => headers['x-request-id']);
    expect(new Set(ids).size).toBe(2);
    expect(ids).not.toContain('mine');
  });

  test('answers that hold secrets, and their failures, are not stored', async () => {
    expect(await exchange(port, request('POST', '/secrets'))).toMatchObject({
      status: 201,
      headers: { 'cache-control': 'no-store' },
    });
    expect(await exchange(port, 'POST /secrets HTTP/1.1\r\nHost: localhost\r\n\r\n')).toMatchObject({
      status: 401,
      headers: { 'cache-control': 'no-store' },
    });
  });

  test.each([
    ['/secrets', 'no-store'],
    ['/secrets?a=b', 'no-store'],
    ['/secrets/x', 'no-store'],
    ['/secrets/x/y/z', 'no-store'],
    ['/secretsx', 'private, no-cache'],
    ['/things/secrets', 'private, no-cache'],
    ['/x/secrets', 'private, no-cache'],
  ])('what is answered before there is an operation, at %s, has Cache-Control: %s', async (target, caching) => {
    for (const method of ['PATCH', 'OPTIONS']) {
      expect((await exchange(port, request(method, target))).headers['cache-control']).toBe(caching);
    }
  });

  test('one secret is not stored either, whose path has a parameter', async () => {
    expect(await exchange(port, request('GET', '/secrets/x'))).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store' },
    });
  });

  test('the id that a client calls Request-Id is not taken either', async () => {
    const { headers } = await exchange(port, request('GET', '/things', { 'Request-Id': 'mine' }));
    expect(headers['x-request-id']).not.toBe('mine');
  });

  test('Strict-Transport-Security is sent where a trusted proxy says that the client used https', async () => {
    const { headers } = await exchange(port, request('GET', '/things', { 'X-Forwarded-Proto': 'https' }));
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
  });

  test('an allowed origin gets CORS headers on successes and failures', async () => {
    for (const target of ['/things', '/nothing']) {
      const { headers } = await exchange(port, request('GET', target, { Origin: ORIGIN }));
      expect(headers).toMatchObject({
        'access-control-allow-origin': ORIGIN,
        'access-control-expose-headers': 'ETag, Link, Location, Retry-After, X-Request-Id, X-Total-Count',
        vary: 'Origin',
      });
    }
  });

  test('a preflight of an allowed origin gets the methods of the path and the allowed headers', async () => {
    const preflight = { Origin: ORIGIN, 'Access-Control-Request-Method': 'PUT' };
    const answer = await exchange(port, request('OPTIONS', '/things/x', preflight));
    expect(answer.status).toBe(204);
    expect(answer.headers).toMatchObject({
      'access-control-allow-methods': answer.headers.allow,
      'access-control-allow-headers': 'Authorization, Content-Type, If-Match, If-None-Match, Prefer',
      'access-control-max-age': '600',
    });
    expect(answer.headers.allow).toContain('PUT');
  });

  test('an OPTIONS that is no preflight gets nothing to preflight with', async () => {
    const { headers } = await exchange(port, request('OPTIONS', '/things/x', { Origin: ORIGIN }));
    expect(headers['access-control-allow-origin']).toBe(ORIGIN);
    expect(headers).not.toHaveProperty('access-control-allow-methods');
  });

  test.each(['https://other.example', 'null', `${ORIGIN}.evil.example`, ORIGIN.toUpperCase()])(
    'the origin %s gets no CORS header',
    async (origin) => {
      for (const method of ['GET', 'OPTIONS']) {
        const headers = { Origin: origin, 'Access-Control-Request-Method': 'PUT' };
        const answer = await exchange(port, request(method, '/things', headers));
        expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
        expect(answer.headers.vary).toBe('Origin');
      }
    },
  );
});

describe('without allowed origins and proxies', () => {
  let app: NestFastifyApplication;
  let port: number;
  beforeAll(async () => {
    ({ app, port } = await startWireApp());
  });
  afterAll(() => app.close());

  test('no answer varies by Origin, nor speaks of https', async () => {
    const asked = request('GET', '/things', { Origin: ORIGIN, 'X-Forwarded-Proto': 'https' });
    const { headers } = await exchange(port, asked);
    expect(headers).not.toHaveProperty('vary');
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    expect(headers).not.toHaveProperty('strict-transport-security');
  });
});
