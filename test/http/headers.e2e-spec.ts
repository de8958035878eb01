import { anonymousRequest, exchange, request } from './raw-client';
import { startTestApp, useTestApp } from './test-app';

const ORIGIN = 'https://pages.example';

describe('the headers of every response', () => {
  const server = useTestApp({ corsOrigins: [ORIGIN], trustProxy: '127.0.0.1' });
  let port: number;
  beforeAll(() => ({ port } = server));

  test.each([
    ['a success', request('GET', '/things')],
    ['a 401', anonymousRequest('GET', '/things')],
    ['a 404', request('GET', '/nothing')],
    ['a 405', request('PATCH', '/things')],
    ['a 204', request('OPTIONS', '/things')],
    ['a 400 of the parser', 'x\r\n\r\n'],
    ['a 417', request('GET', '/things', { Expect: 'tea' })],
  ])('%s has a request id, security headers and Cache-Control, and does not name the software', async (_name, data) => {
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

  /** The ids that two requests with these headers get. */
  async function idsOf(headers: Record<string, string>, at = port): Promise<(string | undefined)[]> {
    const data = request('GET', '/things', headers);
    const responses = [await exchange(at, data), await exchange(at, data)];
    return responses.map((response) => response.headers['x-request-id']);
  }

  test('request ids are different and not taken from a sender that is no trusted proxy', async () => {
    const direct = await startTestApp({ trustProxy: '192.0.2.1' });
    const ids = await idsOf({ 'X-Request-Id': 'theirs', 'X-Forwarded-For': '192.0.2.1' }, direct.port);
    expect(new Set([...ids, 'theirs']).size).toBe(3);
    await direct.app.close();
  });

  test.each(['a', 'Az09_.-', 'x'.repeat(64)])('a trusted proxy may choose the request id: %s', async (id) => {
    expect(await idsOf({ 'X-Request-Id': id })).toEqual([id, id]);
  });

  test.each(['', 'x'.repeat(65), 'a b', 'a,b', 'a"b', '<b>', 'ü'])('but not: "%s"', async (id) => {
    const ids = await idsOf({ 'X-Request-Id': id, 'Request-Id': 'theirs' });
    for (const one of ids) expect(one).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(ids).size).toBe(2);
  });

  test.each([
    ['POST', '/secrets', 201, 'no-store'],
    ['GET', '/secrets/x', 200, 'no-store'],
    ['GET', '/%73ecrets/x', 200, 'no-store'],
    ['PATCH', '/secrets', 405, 'no-store'],
    ['OPTIONS', '/secrets/x', 204, 'no-store'],
    ['GET', '/secrets/x/y/z', 404, 'no-store'],
    ['GET', '/secretsx', 404, 'private, no-cache'],
    ['GET', '/things/secrets', 200, 'private, no-cache'],
  ])('of %s %s (%i) include Cache-Control: %s', async (method, target, status, caching) => {
    const response = await exchange(port, request(method, target));
    expect(response).toMatchObject({ status, headers: { 'cache-control': caching } });
  });

  test('include Strict-Transport-Security if a trusted proxy says that the client used https', async () => {
    const { headers } = await exchange(port, request('GET', '/things', { 'X-Forwarded-Proto': 'https' }));
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
  });

  test('include CORS headers for an allowed origin, on errors too', async () => {
    for (const target of ['/things', '/nothing']) {
      const { headers } = await exchange(port, request('GET', target, { Origin: ORIGIN }));
      expect(headers).toMatchObject({
        'access-control-allow-origin': ORIGIN,
        'access-control-expose-headers': 'ETag, Link, Location, Retry-After, X-Request-Id, X-Total-Count',
        vary: 'Origin',
      });
    }
  });

  test('list the methods of the path and the allowed headers for a preflight from an allowed origin', async () => {
    const preflight = { Origin: ORIGIN, 'Access-Control-Request-Method': 'PUT' };
    const response = await exchange(port, request('OPTIONS', '/things/x', preflight));
    expect(response.status).toBe(204);
    expect(response.headers).toMatchObject({
      'access-control-allow-methods': response.headers.allow,
      'access-control-allow-headers': 'Authorization, Content-Type, If-Match, If-None-Match, Prefer',
      'access-control-max-age': '600',
    });
    expect(response.headers.allow).toContain('PUT');
  });

  test('list neither for an OPTIONS that is not a preflight', async () => {
    const { headers } = await exchange(port, request('OPTIONS', '/things/x', { Origin: ORIGIN }));
    expect(headers['access-control-allow-origin']).toBe(ORIGIN);
    expect(headers).not.toHaveProperty('access-control-allow-methods');
  });

  test.each(['https://other.example', 'null', `${ORIGIN}.evil.example`, ORIGIN.toUpperCase()])(
    'include no CORS header for the origin %s',
    async (origin) => {
      for (const method of ['GET', 'OPTIONS']) {
        const headers = { Origin: origin, 'Access-Control-Request-Method': 'PUT' };
        const response = await exchange(port, request(method, '/things', headers));
        expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
        expect(response.headers.vary).toBe('Origin');
      }
    },
  );
});

test('without allowed origins and proxies, no response varies by Origin or mentions https', async () => {
  const { app, port } = await startTestApp();
  const data = request('GET', '/things', { Origin: ORIGIN, 'X-Forwarded-Proto': 'https' });
  const { headers } = await exchange(port, data);
  await app.close();
  expect(headers).not.toHaveProperty('vary');
  expect(headers).not.toHaveProperty('access-control-allow-origin');
  expect(headers).not.toHaveProperty('strict-transport-security');
});
