import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { createHttpServer } from './server';

describe('the HTTP server', () => {
  const server = createHttpServer(() => undefined, 2);

  it('waits 10 s for a request and 30 s for bytes, and keeps idle connections longer than load balancers do', () => {
    expect(server).toMatchObject({ headersTimeout: 10_000, requestTimeout: 10_000, timeout: 30_000 });
    expect(server.keepAliveTimeout).toBeGreaterThan(60_000);
  });

  it('closes connections beyond the limit at once', async () => {
    server.listen(0, '127.0.0.1');
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

  it('handles pipelined requests one after another, in the order of their responses', async () => {
    const handled: { url: string; response: ServerResponse }[] = [];
    const pipelining = createHttpServer(({ url }, response) => handled.push({ url: url!, response }), 10);
    await once(pipelining.listen(0, '127.0.0.1'), 'listening');
    const client = connect((pipelining.address() as AddressInfo).port, '127.0.0.1').resume();
    client.write(['/1', '/2', '/3'].map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''));
    for (const known of [['/1'], ['/1', '/2'], ['/1', '/2', '/3']]) {
      while (handled.length < known.length) await setImmediate();
      await setImmediate();
      expect(handled.map(({ url }) => url)).toEqual(known);
      handled.at(-1)!.response.end();
    }
    client.destroy();
    pipelining.close();
  });

  it('handles none after a response that closes the connection', async () => {
    const handled: ServerResponse[] = [];
    const pipelining = createHttpServer((_request, response) => handled.push(response), 10);
    await once(pipelining.listen(0, '127.0.0.1'), 'listening');
    const client = connect((pipelining.address() as AddressInfo).port, '127.0.0.1').resume();
    client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(2));
    while (handled.length < 1) await setImmediate();
    handled[0]!.setHeader('connection', 'close').end();
    await once(client, 'close');
    await setImmediate();
    expect(handled).toHaveLength(1);
    pipelining.close();
  });

  it('closes a connection on which more than 32 pipelined requests wait', async () => {
    const handled: ServerResponse[] = [];
    const pipelining = createHttpServer((_request, response) => handled.push(response), 10);
    await once(pipelining.listen(0, '127.0.0.1'), 'listening');
    const { port } = pipelining.address() as AddressInfo;
    const send = (requests: number): Socket => {
      const client = connect(port, '127.0.0.1').resume();
      client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(requests));
      return client;
    };
    const [many, few] = [send(34), send(33)];
    await once(many, 'close');
    while (handled.length < 2) await setImmediate();
    expect(few.closed).toBe(false);
    for (let ended = 0; ended < 34; ended += 1) {
      while (handled.length <= ended) await setImmediate();
      handled[ended]!.end();
    }
    // All of the few, and one of the many.
    expect(handled).toHaveLength(34);
    few.destroy();
    pipelining.close();
  });
});
