import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { RawClient } from '../../../../test/support/raw-client';
import { settingsWith } from '../../../../test/support/settings';
import { createAdapter } from './adapter';
import { handleClientError } from './client-error';
import { plainAddresses } from './request-hooks';
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

it.each([
  ['203.0.113.7:443', '203.0.113.7'],
  ['203.0.113.7:_hidden', '203.0.113.7'],
  ['"203.0.113.7:443"', '203.0.113.7'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['"[2001:db8::1]:443"', '2001:db8::1'],
  ['"2001:db8::1"', '2001:db8::1'],
  ['[::ffff:203.0.113.7]:443', '::ffff:203.0.113.7'],
  ['::ffff:203.0.113.7:443', '::ffff:203.0.113.7'],
  ['2001:db8::1:50443', '2001:db8::1'],
  ['2001:db8:1:2:3:4:5:6:443', '2001:db8:1:2:3:4:5:6'],
  ['2001:db8::1', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1%eth0'],
  ['192.0.2.9:1, 203.0.113.7:443', '203.0.113.7'],
  ['203.0.113.7:443 , [::1]:80,10.0.0.2:80', '203.0.113.7'],
  ['unknown', 'unknown'],
  ['203.0.113.7:443, _hidden:80', '_hidden:80'],
])('X-Forwarded-For: %s is of the client %s, behind proxies that are known by their addresses', async (...row) => {
  const [forwarded, ip] = row;
  const fastify = serverWith({ TRUST_PROXY: 'loopback,10.0.0.0/8' }).addHook('onRequest', plainAddresses);
  expect((await fastify.inject({ url: '/', headers: { 'x-forwarded-for': forwarded } })).json()).toMatchObject({ ip });
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
])(
  'an error of the parser has a response only if none can take it for that of another request: %s',
  async (_where, ...rest) => {
    const [statuses, [first = '', ...left], handler = () => undefined] = rest;
    const server = createHttpServer(handler, 10);
    server.on('clientError', (error, socket) => handleClientError(error, socket as Socket, undefined));
    const sent = await received(server, first, ...left);
    expect([...sent.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))).toEqual(statuses);
  },
);
