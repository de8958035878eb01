import Fastify, { type FastifyInstance } from 'fastify';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { onRequestEnd, reportEnd, type RequestEnd } from './request-end';

describe('onRequestEnd', () => {
  let fastify: FastifyInstance;
  let end: Promise<RequestEnd>;
  let started: Promise<string>;
  let now = 1000;

  beforeEach(() => {
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    fastify = Fastify();
    fastify.addHook('onRequest', reportEnd(fastify));
    started = new Promise((start) => {
      end = new Promise((resolve) => onRequestEnd(fastify, resolve, ({ url }) => start(url)));
    });
    fastify.get('/slow', () => {
      now += 42;
      return {};
    });
    fastify.get('/never', () => new Promise(() => undefined));
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await fastify.close();
  });

  it('reports the start, and the end with status and duration', async () => {
    await fastify.inject('/slow');
    expect(await started).toBe('/slow');
    expect(await end).toMatchObject({ status: 200, milliseconds: 42, request: { url: '/slow' } });
  });

  it('reports 499 if the client disconnects before the response', async () => {
    await fastify.listen({ port: 0, host: '127.0.0.1' });
    const socket = connect((fastify.server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('GET /never HTTP/1.1\r\nHost: x\r\n\r\n');
    await started;
    socket.destroy();
    expect(await end).toMatchObject({ status: 499, request: { url: '/never' } });
  });
});
