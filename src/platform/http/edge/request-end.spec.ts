import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import Fastify from 'fastify';
import { onRequestEnd, reportEnd, type RequestEnd } from './request-end';

it.each([
  ['GET', ''],
  ['POST', 'Content-Type: text/plain\r\nContent-Length: 2\r\n\r\nab'],
])('a %s that has arrived ends with 499 if its client disconnects before the response', async (method, rest) => {
  const fastify = Fastify();
  const ended = new Promise<RequestEnd>((resolve) => onRequestEnd(fastify, resolve));
  fastify.addHook('onRequest', reportEnd(fastify));
  const arrived = new Promise<void>((arrive) => {
    fastify.all('/', () => {
      arrive();
      return new Promise(() => undefined);
    });
  });
  await fastify.listen({ host: '127.0.0.1', port: 0 });
  const { port } = fastify.server.address() as AddressInfo;
  const client = connect(port, '127.0.0.1');
  await once(client, 'connect');
  client.write(`${method} / HTTP/1.1\r\nHost: localhost\r\n${rest || '\r\n'}`);
  await arrived;
  client.destroy();
  expect(await ended).toMatchObject({ status: 499, address: '127.0.0.1' });
  await fastify.close();
});

it('the end of a request is reported with its status, error code, address and duration, after its start', async () => {
  const fastify = Fastify();
  const told: unknown[] = [];
  onRequestEnd(
    fastify,
    (end) => told.push(end),
    (request) => told.push(request.url),
  );
  fastify.addHook('onRequest', reportEnd(fastify));
  const now = jest.spyOn(performance, 'now').mockReturnValue(1000);
  fastify.get('/things', (_request, reply) => {
    now.mockReturnValue(1042);
    void Object.assign(reply, { errorCode: 1301 }).code(404).send();
  });
  await fastify.inject({ url: '/things', remoteAddress: '192.0.2.1' });
  now.mockRestore();
  const ended = { status: 404, code: 1301, address: '192.0.2.1', milliseconds: 42 };
  expect(told).toEqual(['/things', { request: expect.objectContaining({ url: '/things' }), ...ended }]);
});

it('a listener to the end of requests needs none to their start', async () => {
  const fastify = Fastify();
  const ended: number[] = [];
  onRequestEnd(fastify, ({ status }) => ended.push(status));
  fastify.addHook('onRequest', reportEnd(fastify));
  await fastify.inject('/nothing');
  expect(ended).toEqual([404]);
});
