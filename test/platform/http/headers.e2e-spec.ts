import { apiBody } from '../../registry/apis/api-records';
import { organizationBody } from '../../support/records';
import { ADMIN } from '../../support/service';
import { exchange, RawService, request, useRawService } from '../../support/raw-client';

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
      vary: expect.stringMatching(/^Authorization\b/),
    });
    expect(headers).not.toHaveProperty('server');
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('strict-transport-security');
  });

  // All forms of ids: src/platform/http/edge/edge.spec.ts.
  test('have the request id that a trusted proxy chooses, but no other one', async () => {
    expect(await idsOf({ 'X-Request-Id': 'chosen' }, server)).toEqual(['chosen', 'chosen']);
    const ids = await idsOf({ 'X-Request-Id': '<b>', 'Request-Id': 'theirs' }, server);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
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

  describe('to an origin', () => {
    const readable = {
      'access-control-allow-origin': ORIGIN,
      'access-control-expose-headers': 'ETag, Link, Location, Retry-After, X-Request-Id, X-Total-Count',
    };
    /** The headers of CORS in the response to a request of this origin. */
    async function corsOf(origin: string, target = '/organizations', preflight?: object): Promise<object> {
      const data = request(preflight ? 'OPTIONS' : 'GET', target, { Origin: origin, ...preflight });
      const { headers } = await exchange(server.port, data);
      return Object.fromEntries(Object.entries(headers).filter(([name]) => /^(access-control|vary)/.test(name)));
    }

    test('that is allowed can be read, on errors too, and to no other one', async () => {
      for (const target of ['/organizations', '/nothing'])
        expect(await corsOf(ORIGIN, target)).toEqual({ ...readable, vary: 'Authorization, Origin' });
      for (const origin of ['https://evil.example', 'null', `${ORIGIN}.evil.example`, ORIGIN.toUpperCase()])
        expect(await corsOf(origin)).toEqual({ vary: 'Authorization, Origin' });
    });

    test('say what it may send, in a preflight only', async () => {
      const put = { 'Access-Control-Request-Method': 'PUT' };
      expect(await corsOf(ORIGIN, '/organizations/x', put)).toEqual({
        ...readable,
        'access-control-allow-methods': 'GET, HEAD, PUT, DELETE, OPTIONS',
        'access-control-allow-headers':
          'Authorization, Content-Type, If-Match, If-None-Match, Prefer, X-Request-Id, baggage, traceparent, tracestate',
        'access-control-max-age': '600',
        vary: 'Authorization, Origin',
      });
      expect(await corsOf(ORIGIN, '/organizations/x', {})).toEqual({ ...readable, vary: 'Authorization, Origin' });
      expect(await corsOf('https://evil.example', '/organizations/x', put)).toEqual({ vary: 'Authorization, Origin' });
    });
  });
});

describe('behind a proxy that is not trusted, and under a base path,', () => {
  const server = useRawService({ TRUST_PROXY: '192.0.2.1', BASE_PATH: '/registry' });

  test('the Location of a new record, and of the record that has a taken name, begins with the base path', async () => {
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

  test('responses have neither Strict-Transport-Security nor headers of CORS, which nothing allows', async () => {
    const sent = { 'X-Forwarded-Proto': 'https', Origin: ORIGIN };
    const { headers } = await exchange(server.port, request('GET', '/registry/organizations', sent));
    expect(Object.keys(headers).filter((name) => /^(strict-transport|access-control)/.test(name))).toEqual([]);
    expect(headers.vary).toBe('Authorization');
  });
});
