import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { FastifyInstance, LightMyRequestResponse, onRequestHookHandler } from 'fastify';
import { RawClient } from '../../../../test/support/raw-client';
import { settingsWith } from '../../../../test/support/settings';
import { createAdapter } from './adapter';
import { handleClientError } from './client-error';
import { addRequestHooks } from './request-hooks';
import { routableTarget } from './request-target';
import { createHttpServer } from './server';

/** What one request over the whole service cannot show: test/platform/http has the rest. */

const serverWith = (env: NodeJS.ProcessEnv): FastifyInstance =>
  createAdapter(settingsWith(env))
    .getInstance<FastifyInstance>()
    .get('/', ({ ip, id }) => ({ ip, id }));

it.each([
  ['false', '127.0.0.1', false],
  ['0', '127.0.0.1', false],
  ['192.0.2.1', '127.0.0.1', false],
  ['loopback', '10.0.0.2', true],
  ['1', '10.0.0.2', true],
  ['2', '10.0.0.1', true],
  ['127.0.0.1,10.0.0.0/8', '192.0.2.1', true],
  ['true', '192.0.2.1', true],
])('with TRUST_PROXY=%s, a client behind three proxies is %s, and may choose its request id: %j', async (...row) => {
  const [TRUST_PROXY, ip, mayChoose] = row;
  const fastify = serverWith({ TRUST_PROXY });
  const seen = async (headers: object): Promise<{ ip: string; id: string }> =>
    (
      await fastify.inject({ url: '/', headers: { 'x-forwarded-for': '192.0.2.1, 10.0.0.1, 10.0.0.2', ...headers } })
    ).json();
  expect((await seen({})).ip).toBe(ip);
  for (const id of ['a', 'Az09_.-', 'x'.repeat(64)])
    expect((await seen({ 'x-request-id': id })).id === id).toBe(mayChoose);
  for (const id of ['', 'x'.repeat(65), 'a b', 'b<', 'a,b', 'a"b', '\u00fc'])
    expect((await seen({ 'x-request-id': id })).id).toMatch(/^[0-9a-f-]{36}$/);
});

test.each(
  Object.entries({
    '/things?q=%zz#%': '/things?q=%zz#%',
    '/things/a#b?c#d': '/things/a%23b?c#d',
    'http://host/things/%zz?%zz': '/things/%zz?%zz',
    'HTTPS://host:1': '/',
    'http://host?a=/b': '/?a=/b',
    'http://host//things': '//things',
    '/things?u=http://host/a': '/things?u=http://host/a',
    'http:///things': '/http:///things',
    '*': '/*',
  }),
)('the target %s is routed as %s', (target, read) => expect(routableTarget(target)).toBe(read));

describe('the HTTP server', () => {
  it('waits 10 s for a request and 30 s for bytes, and keeps idle connections longer than load balancers do', () => {
    const server = createHttpServer(() => undefined, 2);
    expect(server).toMatchObject({ headersTimeout: 10_000, requestTimeout: 10_000, timeout: 30_000 });
    expect(server.keepAliveTimeout).toBeGreaterThan(60_000);
  });

  it('closes connections beyond the limit', async () => {
    const server = createHttpServer(() => undefined, 2).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const kept = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    for (let accepted = 0; accepted < kept.length; accepted += 1) await once(server, 'connection');
    const refused = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(refused, 'close');
    expect(kept.map(({ readyState }) => readyState)).toEqual(['open', 'open']);
    for (const socket of kept) socket.destroy();
    server.close();
  });
});

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'OPTIONS';

/** What an edge sends that has a collection, records in it, and pages. */
async function answer(method: Method, url: string): Promise<LightMyRequestResponse> {
  const fastify = createAdapter(settingsWith()).getInstance<FastifyInstance>();
  const pass: onRequestHookHandler = (_request, _reply, done) => done();
  addRequestHooks(fastify, settingsWith(), pass, pass);
  fastify.get('/things', () => 'things');
  fastify.post('/things', () => 'created');
  for (const one of ['GET', 'PUT', 'DELETE'])
    fastify.route({ method: one, url: '/things/:id', handler: () => 'thing' });
  fastify.get('/things/:id/parts', () => 'parts');
  fastify.get('/pages/*', () => 'page');
  return fastify.inject({ method, url });
}

it.each<[Method, string, number, string]>([
  ['GET', '/things?a=/', 200, 'things'],
  ['PUT', '/things/x', 200, 'thing'],
  ['GET', '/pages/', 200, 'page'],
  ['OPTIONS', '/things/x', 204, ''],
  ...[
    '/nothing',
    '//things',
    '/Things',
    '/thingsx',
    '/nothing/',
    '/things//parts/',
    '/things//',
    '/nothing?q=/things',
  ].map((url): [Method, string, number, string] => ['GET', url, 404, 'No such path.']),
  ...['/things/', '/things/?q=x', '/things/x/', '/things/x/parts/'].map((url): [Method, string, number, string] => [
    'GET',
    url,
    404,
    'No such path: paths have no trailing slash.',
  ]),
  ['PATCH', '/things?q=x', 405, 'This path supports only GET, HEAD, POST, OPTIONS.'],
  ['POST', '/things/x', 405, 'This path supports only GET, HEAD, PUT, DELETE, OPTIONS.'],
  ['PATCH', '/things/x', 405, 'This path supports only GET, HEAD, PUT, DELETE, OPTIONS. Use PUT.'],
])('%s %s is %i: %s', async (method, url, status, text) => {
  const { statusCode, body } = await answer(method, url);
  const { message = body } = statusCode >= 400 ? (JSON.parse(body) as { message: string }) : {};
  expect([statusCode, message]).toEqual([status, text]);
});

/** What a client receives that sends these texts, each when something came after the one before it, until the end. */
async function received(server: Server, first: string, ...left: string[]): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = new RawClient((server.address() as AddressInfo).port).send(first);
  client.socket.on('data', () => client.send(left.shift() ?? ''));
  await client.until(() => client.ended || client.closed);
  client.close();
  server.close();
  return client.received;
}

/** The statuses of the responses in what a client receives. */
const statusesIn = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));

describe('an error of the parser', () => {
  it.each([
    [408, 'ERR_HTTP_REQUEST_TIMEOUT'],
    [400, 'HPE_INVALID_METHOD'],
    [431, 'HPE_HEADER_OVERFLOW'],
    [undefined, 'ECONNRESET'],
  ])('sends %s for %s once, reads nothing more, and closes the connection after two seconds', (status, code) => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    let written = '';
    const write = (chunk: Buffer, _encoding: string, done: () => void): void => {
      written += chunk.toString();
      done();
    };
    const fake = new Duplex({ read: () => undefined, write });
    for (let times = 0; times < 3; times += 1)
      handleClientError(Object.assign(new Error('rejected'), { code }), fake as unknown as Socket, undefined);
    expect(statusesIn(written)).toEqual(status === undefined ? [] : [status]);
    expect([fake.destroyed, fake.isPaused()]).toEqual([status === undefined, status !== undefined]);
    jest.advanceTimersByTime(2000);
    expect(fake.destroyed).toBe(true);
    jest.useRealTimers();
  });

  const get = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const post = 'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n';
  const broken = 'zz\r\n';

  it.each<[string, number[], string[], RequestListener?]>([
    ['after a response', [200, 400], [get, 'x\r\n\r\n'], (_request, response) => response.end()],
    ['while a request waits for its response', [], [`${get}x\r\n\r\n`]],
    ['in the body of a request without a response', [400], [post + broken]],
    ['in the body of a request whose response has begun', [200], [post, broken], (_, response) => response.write('a')],
    ['in the body of a request whose response has ended', [200], [post, broken], (_, response) => response.end()],
    ['in the body of a request behind another one', [], [get + post + broken]],
  ])('has a response only if the client cannot take it for that of another request: %s', async (_where, ...rest) => {
    const [statuses, [first = '', ...left], handler = () => undefined] = rest;
    const server = createHttpServer(handler, 10);
    server.on('clientError', (error, socket) => handleClientError(error, socket as Socket, undefined));
    expect(statusesIn(await received(server, first, ...left))).toEqual(statuses);
  });
});
