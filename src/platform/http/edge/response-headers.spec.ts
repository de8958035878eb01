import type { OutgoingHttpHeaders } from 'node:http';
import { edgeWith } from '../../../../test/support/edge';
import type { RouteSettings } from '../responses/response';

const ORIGIN = 'https://pages.example';
const allowed = { CORS_ORIGINS: `https://other.example,${ORIGIN}` };
const exposed = 'ETag, Link, Location, Retry-After, X-Request-Id, X-Total-Count';

/** The headers of the response to a request that has these. */
async function headersOf(
  env: NodeJS.ProcessEnv,
  headers: Record<string, string> = {},
  { method = 'GET', url = '/things' }: { method?: 'GET' | 'OPTIONS'; url?: string } = {},
): Promise<OutgoingHttpHeaders> {
  const fastify = edgeWith(env);
  fastify.get('/things', () => 'things');
  fastify.get('/secrets', { config: { noStore: true } satisfies RouteSettings }, () => 'secrets');
  return (await fastify.inject({ method, url, headers })).headers;
}

describe('every response', () => {
  it('has a request id, what browsers may do with it, and who may store it', async () => {
    for (const url of ['/things', '/nothing'])
      expect(await headersOf({}, {}, { url })).toMatchObject({
        'cache-control': 'private, no-cache, no-transform',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
  });

  it('must not be stored where the route has secrets', async () => {
    expect((await headersOf({}, {}, { url: '/secrets' }))['cache-control']).toBe('no-store');
  });

  it.each([
    ['loopback', 'https', 'max-age=31536000'],
    ['loopback', 'http', undefined],
    ['false', 'https', undefined],
  ])('with TRUST_PROXY=%s, to a client that used %s, has Strict-Transport-Security: %s', async (...row) => {
    const [TRUST_PROXY, protocol, expected] = row;
    const headers = await headersOf({ TRUST_PROXY }, { 'x-forwarded-proto': protocol });
    expect(headers['strict-transport-security']).toBe(expected);
  });
});

describe('CORS', () => {
  const preflight = { origin: ORIGIN, 'access-control-request-method': 'PUT' };
  const corsOf = (headers: OutgoingHttpHeaders): object =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => /^(?:access-control|vary)/.test(name)));

  it('lets an allowed origin read responses, and no other one', async () => {
    const readable = { 'access-control-allow-origin': ORIGIN, 'access-control-expose-headers': exposed };
    expect(corsOf(await headersOf(allowed, { origin: ORIGIN }))).toEqual({ ...readable, vary: 'Origin' });
    expect(corsOf(await headersOf(allowed))).toEqual({ vary: 'Origin' });
    for (const origin of ['https://evil.example', 'null', `${ORIGIN}.evil.example`, ORIGIN.toUpperCase()])
      expect(corsOf(await headersOf(allowed, { origin }))).toEqual({ vary: 'Origin' });
    expect(corsOf(await headersOf({}, { origin: ORIGIN }))).toEqual({});
  });

  it('tells a preflight of an allowed origin what it may send, and no other OPTIONS', async () => {
    const headers = await headersOf(allowed, preflight, { method: 'OPTIONS' });
    expect(corsOf(headers)).toEqual({
      'access-control-allow-origin': ORIGIN,
      'access-control-expose-headers': exposed,
      'access-control-allow-methods': headers.allow,
      'access-control-allow-headers':
        'Authorization, Content-Type, If-Match, If-None-Match, Prefer, X-Request-Id, baggage, traceparent, tracestate',
      'access-control-max-age': '600',
      vary: 'Origin',
    });
    for (const others of [{ origin: ORIGIN }, { ...preflight, origin: 'https://evil.example' }])
      expect(await headersOf(allowed, others, { method: 'OPTIONS' })).not.toHaveProperty('access-control-max-age');
  });
});
