import { apiBody } from '../../registry/apis/api-records';
import { organizationBody } from '../../support/records';
import { ADMIN } from '../../support/service';
import { exchange, RawService, request, useRawService } from './raw-client';

const ORIGIN = 'https://pages.example';

/** The ids that two requests with these headers get. */
async function idsOf(headers: Record<string, string>, { port }: RawService): Promise<(string | undefined)[]> {
  const data = request('GET', '/organizations', headers);
  const responses = [await exchange(port, data), await exchange(port, data)];
  return responses.map((response) => response.headers['x-request-id']);
}

describe('the headers of every response', () => {
  const server = useRawService({ CORS_ORIGINS: ORIGIN, TRUST_PROXY: '127.0.0.1' });
  const { asAdmin } = server;

  test.each<[string, () => string]>([
    ['a success', () => asAdmin('GET', '/organizations')],
    ['a 401', () => request('GET', '/organizations')],
    ['a 404', () => request('GET', '/nothing')],
    ['a 405', () => request('PATCH', '/organizations')],
    ['a 204', () => request('OPTIONS', '/organizations')],
    ['a 400 of the parser', () => 'x\r\n\r\n'],
    ['a 417', () => request('GET', '/organizations', { Expect: 'tea' })],
  ])('%s has a request id, security headers and Cache-Control, and does not name the software', async (_name, data) => {
    const { headers } = await exchange(server.port, data());
    expect(headers).toMatchObject({
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, no-cache, no-transform',
    });
    expect(headers).not.toHaveProperty('server');
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('strict-transport-security');
  });

  test.each(['a', 'Az09_.-', 'x'.repeat(64)])('a trusted proxy may choose the request id: %s', async (id) => {
    expect(await idsOf({ 'X-Request-Id': id }, server)).toEqual([id, id]);
  });

  test.each(['', 'x'.repeat(65), 'a b', 'a,b', 'a"b', '<b>', 'ü'])('but not: "%s"', async (id) => {
    const ids = await idsOf({ 'X-Request-Id': id, 'Request-Id': 'theirs' }, server);
    for (const one of ids) expect(one).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(ids).size).toBe(2);
  });

  test.each([
    ['POST', '/sessions', 201, 'no-store'],
    ['GET', '/sessions', 200, 'no-store'],
    ['GET', '/%73essions/x', 404, 'no-store'],
    ['PATCH', '/tokens', 405, 'private, no-cache, no-transform'],
    ['GET', '/sessions/x/y', 404, 'private, no-cache, no-transform'],
    ['GET', '/organizations?q=sessions', 200, 'private, no-cache, no-transform'],
  ])('of %s %s (%i) include Cache-Control: %s', async (method, target, status, caching) => {
    const body = method === 'POST' ? JSON.stringify({ username: ADMIN.username, password: ADMIN.password }) : '';
    const headers = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) };
    const response = await exchange(server.port, asAdmin(method, target, headers, body));
    expect(response).toMatchObject({ status, headers: { 'cache-control': caching } });
  });

  test('include Strict-Transport-Security if a trusted proxy says that the client used https', async () => {
    const { headers } = await exchange(server.port, request('GET', '/organizations', { 'X-Forwarded-Proto': 'https' }));
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
  });

  test('include CORS headers for an allowed origin, on errors too', async () => {
    for (const target of ['/organizations', '/nothing']) {
      const { headers } = await exchange(server.port, request('GET', target, { Origin: ORIGIN }));
      expect(headers).toMatchObject({
        'access-control-allow-origin': ORIGIN,
        'access-control-expose-headers': 'ETag, Link, Location, Retry-After, X-Request-Id, X-Total-Count',
        vary: 'Origin',
      });
    }
  });

  test('list the methods of the path and the allowed headers for a preflight from an allowed origin', async () => {
    const preflight = { Origin: ORIGIN, 'Access-Control-Request-Method': 'PUT' };
    const response = await exchange(server.port, request('OPTIONS', '/organizations/x', preflight));
    expect(response.status).toBe(204);
    expect(response.headers).toMatchObject({
      'access-control-allow-methods': response.headers.allow,
      'access-control-allow-headers':
        'Authorization, Content-Type, If-Match, If-None-Match, Prefer, X-Request-Id, baggage, traceparent, tracestate',
      'access-control-max-age': '600',
    });
    expect(response.headers.allow).toContain('PUT');
  });

  test('list neither for an OPTIONS that is not a preflight', async () => {
    const { headers } = await exchange(server.port, request('OPTIONS', '/organizations/x', { Origin: ORIGIN }));
    expect(headers['access-control-allow-origin']).toBe(ORIGIN);
    expect(headers).not.toHaveProperty('access-control-allow-methods');
  });

  test.each(['https://other.example', 'null', `${ORIGIN}.evil.example`, ORIGIN.toUpperCase()])(
    'include no CORS header for the origin %s',
    async (origin) => {
      for (const method of ['GET', 'OPTIONS']) {
        const headers = { Origin: origin, 'Access-Control-Request-Method': 'PUT' };
        const response = await exchange(server.port, request(method, '/organizations', headers));
        expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
        expect(response.headers.vary).toBe('Origin');
      }
    },
  );
});

describe('without allowed origins, behind a proxy that is not trusted, and under a base path,', () => {
  const server = useRawService({ TRUST_PROXY: '192.0.2.1', BASE_PATH: '/registry' });

  test('the Location of a new record, and of one that has a name already, begins with the base path', async () => {
    const found: unknown[] = [];
    const post = async (path: string, record: object): Promise<string> => {
      const body = JSON.stringify(record);
      const headers = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) };
      const data = server.asAdmin('POST', path, headers, body);
      const responses = [await exchange(server.port, data), await exchange(server.port, data)];
      found.push(responses.map(({ status, headers: { location } }) => [status, location]));
      return responses[0]!.json().data!._id as string;
    };
    const organization = await post('/registry/organizations?', organizationBody());
    const api = await post(`/registry/organizations/${organization}/apis`, apiBody());
    const paths = [`/registry/organizations/${organization}`, `/registry/apis/${api}`];
    const pairOf = (path: string): unknown => [201, 409].map((status) => [status, path]);
    expect(found).toEqual(paths.map(pairOf));
  });

  test('request ids are different and not taken from the sender', async () => {
    const ids = await idsOf({ 'X-Request-Id': 'theirs', 'X-Forwarded-For': '192.0.2.1' }, server);
    expect(new Set(['theirs', ...ids]).size).toBe(3);
  });

  test('no response varies by Origin or mentions https', async () => {
    const data = request('GET', '/organizations', { Origin: ORIGIN, 'X-Forwarded-Proto': 'https' });
    const { headers } = await exchange(server.port, data);
    for (const name of ['vary', 'access-control-allow-origin', 'strict-transport-security'])
      expect(headers).not.toHaveProperty(name);
  });
});
