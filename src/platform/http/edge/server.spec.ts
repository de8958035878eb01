import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { AddressInfo, connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { connected, received, statusesIn } from '../../../../test/support/edge';
import { createHttpServer, MAX_HEADERS, MAX_TARGET } from './server';

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

  it('leaves to others a request without Host, with an expectation, with many headers, or of the largest size', async () => {
    const reached: IncomingMessage[] = [];
    const lenient = createHttpServer((request, response) => {
      reached.push(request);
      response.end();
    }, 10);
    const { client } = await connected(lenient);
    const start = (target: string): string => `GET /${target} HTTP/1.1\r\n`;
    const many = 'a:b\r\n'.repeat(3000);
    const long = start('x'.repeat(MAX_TARGET - 1)) + `X: ${'x'.repeat(MAX_HEADERS - 7)}\r\n`;
    for (const head of [start('host'), `${start('expect')}Expect: tea\r\n`, start('many') + many, long]) {
      const before = reached.length;
      client.write(`${head}\r\n`);
      while (reached.length === before) await setImmediate();
    }
    expect(reached.map(({ url }) => url!.slice(0, 9))).toEqual(['/host', '/expect', '/many', '/xxxxxxxx']);
    expect(reached[2]!.rawHeaders).toHaveLength(6000);
    client.destroy();
  });

  it('responds to pipelined requests on one connection', async () => {
    const pipelining = createHttpServer((_request, response) => response.end(), 10);
    const pair = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(2);
    const last = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    const text = await received(pipelining, ...Array.from({ length: 40 }, () => pair), last);
    expect(statusesIn(text).length).toBeGreaterThan(40);
    expect(text).toMatch(/connection: close\r\n/i);
  });
});
