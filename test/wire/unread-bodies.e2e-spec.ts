import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Socket } from 'node:net';
import { expectFailure, RawClient } from './raw-client';
import { startWireApp } from './wire-app';

const LIMIT = 65_536;
/** What may be read beside the discarded bytes: what Node buffers while the guards run, and the chunk under way. */
const SLACK = 4 * 65_536;
const CHUNK = Buffer.alloc(65_536, 'a');

describe('the body of a request that fails before it is read', () => {
  let app: NestFastifyApplication;
  let port: number;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    ({ app, port } = await startWireApp());
    app.getHttpServer().on('connection', (socket: Socket) => sockets.push(socket));
  });
  afterAll(() => app.close());

  const anonymous = (method: string, target: string, fields: string): string =>
    `${method} ${target} HTTP/1.1\r\nHost: localhost\r\n${fields}\r\n`;

  test.each([
    ['of a declared length', 'Content-Length: 209715200\r\n', ''],
    ['in chunks', 'Transfer-Encoding: chunked\r\n', '10000\r\n'],
  ])('of an unread body of 200 MB %s little is read, and the client gets its answer', async (_name, field, prefix) => {
    for (const [target, status] of [
      ['/things', 401],
      ['/nothing', 404],
    ] as const) {
      sockets.length = 0;
      const client = new RawClient(port).send(anonymous('POST', target, field));
      const pump = pumpInto(client, prefix);
      expect(await client.answer()).toMatchObject({ status });
      await client.until(() => client.closed || sockets[0]!.destroyed, 5000);
      expect(sockets[0]!.bytesRead).toBeLessThan(LIMIT + SLACK);
      client.close();
      await pump;
    }
  });

  test('a client that reads only when it can send no more gets its answer too', async () => {
    const client = new RawClient(port).send(anonymous('POST', '/things', 'Content-Length: 209715200\r\n'));
    client.socket.pause();
    const pump = pumpInto(client, '');
    await new Promise((resolve) => setTimeout(resolve, 500));
    client.socket.resume();
    expectFailure(await client.answer(), 401, 1100);
    client.close();
    await pump;
  });

  test('an unread body that never ends does not hold the connection', async () => {
    sockets.length = 0;
    const client = new RawClient(port).send(anonymous('POST', '/things', 'Content-Length: 1000000\r\n'));
    expectFailure(await client.answer(), 401, 1100);
    const drip = setInterval(() => client.send('a'), 100);
    await client.until(() => sockets[0]!.destroyed, 4000);
    clearInterval(drip);
    client.close();
  });
});

/** Writes 200 MB as fast as the server takes them, until the connection is gone. */
async function pumpInto(client: RawClient, prefix: string): Promise<void> {
  const chunk = prefix ? Buffer.concat([Buffer.from(prefix), CHUNK, Buffer.from('\r\n')]) : CHUNK;
  for (let sent = 0; sent < 200 * 1024 * 1024 && !client.closed && client.socket.writable; sent += CHUNK.length) {
    if (client.socket.write(chunk)) continue;
    await new Promise<void>((resolve) => {
      client.socket.once('drain', resolve).once('close', resolve);
    });
  }
}
