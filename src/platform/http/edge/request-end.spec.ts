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
