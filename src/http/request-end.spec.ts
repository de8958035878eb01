import Fastify, { type FastifyInstance } from 'fastify';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { onRequestEnd, type RequestEnd } from './request-end';

const SLOW_MS = 60;

describe('onRequestEnd', () => {
  let fastify: FastifyInstance;
  const ends: RequestEnd[] = [];
  const starts: string[] = [];
  beforeEach(async () => {
    ends.length = starts.length = 0;
    fastify = Fastify();
    onRequestEnd(
      fastify,
      (end) => ends.push(end),
      ({ url }) => starts.push(url),
    );
    fastify.get('/slow', async () => {
      expect(ends).toEqual([]);
      await sleep(SLOW_MS);
      return {};
    });
    fastify.get('/never', () => new Promise(() => undefined));
    await fastify.listen({ port: 0, host: '127.0.0.1' });
  });
  afterEach(() => fastify.close());

  const until = async (condition: () => boolean): Promise<void> => {
    for (let tries = 0; !condition() && tries < 500; tries += 1) await sleep(5);
    expect(condition()).toBe(true);
  };

  it('tells of the start, and once of the end, with status and duration', async () => {
    const { port } = fastify.server.address() as AddressInfo;
    await (await fetch(`http://127.0.0.1:${port}/slow`)).text();
    await until(() => ends.length > 0);
    expect(starts).toEqual(['/slow']);
    expect(ends).toHaveLength(1);
    expect(ends[0]).toMatchObject({ status: 200, request: { url: '/slow' } });
    // A timer may fire a millisecond early.
    expect(ends[0]?.milliseconds).toBeGreaterThan(SLOW_MS - 5);
    expect(ends[0]?.milliseconds).toBeLessThan(5000);
  });

  it('tells of one whose client went away before there was an answer: 499', async () => {
    const { port } = fastify.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('GET /never HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(() => starts.length > 0);
    socket.destroy();
    await until(() => ends.length > 0);
    expect(ends[0]).toMatchObject({ status: 499, request: { url: '/never' } });
  });

  it('needs nobody who hears of starts', async () => {
    const quiet = Fastify();
    const listener = jest.fn();
    onRequestEnd(quiet, listener);
    expect((await quiet.inject('/nothing')).statusCode).toBe(404);
    await until(() => listener.mock.calls.length > 0);
    expect(listener).toHaveBeenCalledWith(expect.objectContaining({ status: 404 }));
    await quiet.close();
  });
});
