import type { LightMyRequestResponse } from 'fastify';
import { edgeWith, received } from '../../../../test/support/edge';

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'OPTIONS';

/** What an edge sends that has a collection, records in it, one that is cached, and pages. */
async function answer(method: Method, url: string): Promise<LightMyRequestResponse> {
  const fastify = edgeWith({ CORS_ORIGINS: 'https://pages.example' });
  fastify.get('/things', () => 'things');
  fastify.post('/things', () => 'created');
  for (const one of ['GET', 'PUT', 'DELETE'])
    fastify.route({ method: one, url: '/things/:id', handler: () => 'thing' });
  fastify.get('/things/:id/parts', () => 'parts');
  fastify.get('/known', (_request, reply) => reply.code(304).send());
  fastify.get('/pages/*', () => 'page');
  return fastify.inject({ method, url, headers: { origin: 'https://pages.example' } });
}

const allowOf = ({ headers }: LightMyRequestResponse): string[] => String(headers.allow).split(', ').sort();

describe('a path', () => {
  it.each<[Method, string, string]>([
    ['GET', '/things?a=/', 'things'],
    ['POST', '/things', 'created'],
    ['PUT', '/things/x', 'thing'],
    ['GET', '/pages/', 'page'],
  ])('that has a route is served: %s %s', async (method, url, body) => {
    expect(await answer(method, url)).toMatchObject({ statusCode: 200, body });
  });

  it.each<[Method, string]>([
    ['GET', '/nothing'],
    ['OPTIONS', '/nothing'],
    ['PUT', '/things/'],
    ['GET', '/things//parts'],
    ['PATCH', '//things'],
    ['GET', '/Things'],
    ['GET', '/thingsx'],
    ['GET', '/nothing/'],
    ['GET', '/things//parts/'],
    ['GET', '/things//'],
    ['GET', '/nothing?q=/things'],
  ])('that is unknown is 404 1301, by every method: %s %s', async (method, url) => {
    const slash = url === '/things/' ? ': paths have no trailing slash' : '';
    const response = await answer(method, url);
    expect(response.statusCode).toBe(404);
    expect(response.json()).toMatchObject({ code: 1301, message: `No such path${slash}.` });
  });

  it('is 404, and the message says so if a trailing slash is the reason, with any query', async () => {
    for (const url of ['/things/', '/things/?q=x', '/things/x/', '/things/x/parts/'])
      expect((await answer('GET', url)).json().message).toBe('No such path: paths have no trailing slash.');
  });

  it.each<[Method, string, string[], string]>([
    ['PATCH', '/things?q=x', ['GET', 'HEAD', 'OPTIONS', 'POST'], ''],
    ['POST', '/things/x', ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PUT'], ''],
    ['PATCH', '/things/x', ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PUT'], ' Use PUT.'],
  ])('does not support other methods: %s %s is 405', async (method, url, allowed, advice) => {
    const response = await answer(method, url);
    expect([response.statusCode, allowOf(response)]).toEqual([405, allowed]);
    const message = `This path supports only ${response.headers.allow}.${advice}`;
    expect(response.json()).toMatchObject({ code: 1400, message });
    expect(response.headers).not.toHaveProperty('access-control-allow-methods');
  });
});

describe('OPTIONS', () => {
  it('lists the methods of a path', async () => {
    const response = await answer('OPTIONS', '/things/x');
    expect(response).toMatchObject({ statusCode: 204, body: '' });
    expect(allowOf(response)).toEqual(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PUT']);
  });

  it('lists those of the service for *', async () => {
    const fastify = edgeWith();
    await fastify.ready();
    const request = 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    expect(await received(fastify.server, request)).toContain('allow: GET, HEAD, POST, PUT, DELETE, OPTIONS\r\n');
  });
});

test('HEAD has the Content-Length of GET, but none of a 304', async () => {
  expect((await answer('HEAD', '/things')).headers['content-length']).toBe('6');
  const response = await answer('HEAD', '/known');
  expect(response.statusCode).toBe(304);
  expect(response.headers).not.toHaveProperty('content-length');
});
