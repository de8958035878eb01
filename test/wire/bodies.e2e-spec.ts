import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Socket } from 'node:net';
import { exchange, expectFailure, RawClient, request } from './raw-client';
import { startWireApp } from './wire-app';

const LIMIT = 65_536;
/** What may be read beside the discarded bytes: what Node buffers while the guards run, and the chunk under way. */
const SLACK = 4 * 65_536;
const CHUNK = Buffer.alloc(65_536, 'a');

describe('bodies', () => {
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
    ['without a Content-Type', {}, null],
    ['with an unparsable Content-Type', { 'Content-Type': 'no/t a type;;' }, 'no/t a type;;'],
    ['with JSON', { 'Content-Type': 'application/json' }, 'application/json'],
    ['with text', { 'Content-Type': 'text/plain' }, 'text/plain'],
    ['with a form', { 'Content-Type': 'multipart/form-data; boundary=x' }, 'multipart/form-data; boundary=x'],
    ['compressed', { 'Content-Encoding': 'gzip' }, null],
  ])('a body %s reaches the handler unread', async (_name, headers, contentType) => {
    for (const [method, target] of [
      ['POST', '/things'],
      ['PUT', '/things/x'],
    ] as const) {
      const sized = await exchange(port, request(method, target, { ...headers, 'Content-Length': '4' }, 'abcd'));
      expect(sized.json().data).toEqual({ size: 4, contentType });
      const chunked = { ...headers, 'Transfer-Encoding': 'chunked' };
      const answer = await exchange(port, request(method, target, chunked, '4\r\nabcd\r\n0\r\n\r\n'));
      expect(answer.json().data).toEqual({ size: 4, contentType });
      expect((await exchange(port, request(method, target, headers))).json().data).toEqual({ size: 0, contentType });
    }
  });

  test.each(['GET', 'DELETE'])('a body on %s is ignored, whatever it claims to be', async (method) => {
    const headers = { 'Content-Type': 'no/t a type', 'Content-Length': '3', 'Content-Encoding': 'x' };
    const client = new RawClient(port).send(request(method, '/things/x', headers, '{"a') + request('GET', '/things'));
    expect(await client.answer()).toMatchObject({ status: 200 });
    expect(await client.answer()).toMatchObject({ status: 200 });
    client.close();
  });

  test('after a small unread body the connection takes the next request', async () => {
    const client = new RawClient(port);
    client.send(anonymous('POST', '/things', `Content-Length: ${LIMIT}\r\n`));
    expectFailure(await client.answer(), 401, 1100);
    client.send(Buffer.alloc(LIMIT, 'a')).send(request('GET', '/things'));
    expect(await client.answer()).toMatchObject({ status: 200 });
    client.close();
  });

  test('after a small unread body in chunks the connection takes the next request', async () => {
    const client = new RawClient(port);
    const post = anonymous('POST', '/things', 'Transfer-Encoding: chunked\r\n');
    client.send(`${post}4\r\nabcd\r\n0\r\n\r\n${request('GET', '/things')}`);
    expectFailure(await client.answer(), 401, 1100);
    expect(await client.answer()).toMatchObject({ status: 200 });
    client.close();
  });

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

  test('100 Continue is sent when the body is read', async () => {
    const client = new RawClient(port);
    client.send(request('POST', '/things', { Expect: '100-continue', 'Content-Length': '4' }));
    expect(await client.answer()).toMatchObject({ status: 100 });
    client.send('abcd');
    expect((await client.answer()).json().data).toMatchObject({ size: 4 });
    client.close();
  });

  test('100 Continue is not sent when the request fails before its body is read', async () => {
    const fields = 'Expect: 100-continue\r\nContent-Length: 4\r\n';
    expectFailure(await exchange(port, anonymous('POST', '/things', fields)), 401, 1100);
    expectFailure(await exchange(port, anonymous('PATCH', '/things', fields)), 405, 1400);
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
