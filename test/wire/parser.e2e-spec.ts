import { Logger } from '@nestjs/common';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { exchange, expectFailure, RawClient, request } from './raw-client';
import { startWireApp } from './wire-app';

describe('what the HTTP parser refuses', () => {
  let app: NestFastifyApplication;
  let port: number;
  const logged = jest.spyOn(Logger.prototype, 'error');
  const printed = jest.spyOn(process.stderr, 'write');

  beforeAll(async () => {
    ({ app, port } = await startWireApp());
  });
  afterAll(async () => {
    expect(logged).not.toHaveBeenCalled();
    expect(printed).not.toHaveBeenCalled();
    await app.close();
  });

  const host = 'Host: localhost\r\n';
  test.each<[string, number, string]>([
    ['garbage', 400, '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n'],
    ['an unknown method', 400, `FOO /things HTTP/1.1\r\n${host}\r\n`],
    ['a method in lower case', 400, `get /things HTTP/1.1\r\n${host}\r\n`],
    ['HTTP/0.9', 400, 'GET /things\r\n\r\n'],
    ['HTTP/0.9 by name', 400, `GET /things HTTP/0.9\r\n${host}\r\n`],
    ['HTTP/1.2', 400, `GET /things HTTP/1.2\r\n${host}\r\n`],
    ['HTTP/2.0', 400, `GET /things HTTP/2.0\r\n${host}\r\n`],
    ['HTTP/9.9', 400, `GET /things HTTP/9.9\r\n${host}\r\n`],
    ['another protocol', 400, `GET /things SMTP/1.1\r\n${host}\r\n`],
    ['a missing Host', 400, 'GET /things HTTP/1.1\r\n\r\n'],
    ['two Hosts', 400, `GET /things HTTP/1.1\r\n${host}HOST: localhost\r\n\r\n`],
    ['a second Host far down', 400, `GET /things HTTP/1.1\r\n${host}${'a:b\r\n'.repeat(2000)}${host}\r\n`],
    ['NUL in the target', 400, `GET /thi\0ngs HTTP/1.1\r\n${host}\r\n`],
    ['NUL in a header', 400, `GET /things HTTP/1.1\r\n${host}X: a\0b\r\n\r\n`],
    ['a header without a name', 400, `GET /things HTTP/1.1\r\n${host}: x\r\n\r\n`],
    ['a space before the colon', 400, `GET /things HTTP/1.1\r\nHost : localhost\r\n\r\n`],
    ['a folded header', 400, `GET /things HTTP/1.1\r\n${host}X: a\r\n b\r\n\r\n`],
    ['a target without a slash', 400, `GET things HTTP/1.1\r\n${host}\r\n`],
    ['a target of another scheme', 400, `GET ftp://localhost/things HTTP/1.1\r\n${host}\r\n`],
    ['a star with something after it', 400, `GET *things HTTP/1.1\r\n${host}\r\n`],
    ['a star on GET', 400, `GET * HTTP/1.1\r\n${host}\r\n`],
    [
      'Content-Length with Transfer-Encoding',
      400,
      `POST /things HTTP/1.1\r\n${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['two Content-Lengths', 400, `POST /things HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
    ['a negative Content-Length', 400, `POST /things HTTP/1.1\r\n${host}Content-Length: -1\r\n\r\n`],
    [
      'a Transfer-Encoding that does not end in chunked',
      400,
      `POST /things HTTP/1.1\r\n${host}Transfer-Encoding: gzip\r\n\r\n`,
    ],
    [
      'a broken chunk',
      400,
      `POST /things HTTP/1.1\r\n${host}Authorization: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
    ],
    ['a target of more than 8 KiB', 414, `GET /${'a'.repeat(8192)} HTTP/1.1\r\n${host}\r\n`],
    ['a target of 40 KiB', 414, `GET /${'a'.repeat(40_000)} HTTP/1.1\r\n${host}\r\n`],
    ['a header section of more than 16 KiB', 431, `GET /things HTTP/1.1\r\n${host}X: ${'a'.repeat(16_400)}\r\n\r\n`],
    ['a header section of 40 KiB', 431, `GET /things HTTP/1.1\r\n${host}X: ${'a'.repeat(40_000)}\r\n\r\n`],
    ['many tiny headers', 431, `GET /things HTTP/1.1\r\n${host}${'a:b\r\n'.repeat(4000)}\r\n`],
    ['an expectation that is not 100-continue', 417, `GET /things HTTP/1.1\r\n${host}Expect: tea\r\n\r\n`],
  ])('%s is answered with %i, code 1006, and the connection is closed', async (_name, status, data) => {
    const client = new RawClient(port).send(Buffer.from(data, 'latin1'));
    const answer = await client.answer();
    expectFailure(answer, status, 1006);
    expect(answer.headers.connection).toBe('close');
    await client.until(() => client.ended);
    expect(client.received).toBe('');
    client.close();
  });

  test('a target of 8 KiB and a header section of 16 KiB pass', async () => {
    const target = `/things/${'a'.repeat(8192 - 8)}`;
    const rest = 'Host: localhost\r\nAuthorization: x\r\nX: \r\n\r\n'.length;
    const data = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: x\r\nX: ${'a'.repeat(16_384 - rest)}\r\n\r\n`;
    expect(await exchange(port, data)).toMatchObject({ status: 200 });
    expectFailure(await exchange(port, data.replace('X: ', 'X: a')), 431, 1006);
  });

  test('a failure echoes nothing of the input', async () => {
    const answer = await exchange(port, `GET /<script> HTTP/1.1\r\n${host}<script>: 1\r\n\r\n`);
    expectFailure(answer, 400, 1006);
    expect(answer.body).not.toContain('script');
  });

  test('CONNECT is answered with 405 and Allow', async () => {
    const answer = await exchange(port, `CONNECT localhost:443 HTTP/1.1\r\n${host}\r\n`);
    expectFailure(answer, 405, 1400);
    expect(answer.headers.allow).toBe('GET, HEAD, POST, PUT, DELETE, OPTIONS');
  });

  test('headers whose names are as long as that of Host are no Host', async () => {
    const others = { Date: 'x', From: 'a@b', Link: '<x>' };
    expect(await exchange(port, request('GET', '/things', others))).toMatchObject({ status: 200 });
    expectFailure(await exchange(port, 'GET /things HTTP/1.1\r\nFrom: a@b\r\n\r\n'), 400, 1006);
  });

  test('an Upgrade is ignored', async () => {
    const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket' };
    expect(await exchange(port, request('GET', '/things', upgrade))).toMatchObject({ status: 200 });
  });

  test('HTTP/1.0 without a Host is served', async () => {
    const answer = await exchange(port, 'GET /things HTTP/1.0\r\nAuthorization: x\r\n\r\n');
    expect(answer).toMatchObject({ status: 200, headers: { connection: 'close' } });
  });

  test('garbage after a request leaves the answer to that request first', async () => {
    const client = new RawClient(port).send(request('GET', '/things') + 'garbage\r\n\r\n');
    expect(await client.answer()).toMatchObject({ status: 200 });
    expectFailure(await client.answer(), 400, 1006);
    client.close();
  });

  test('garbage behind a request under way waits for its turn, however much of it comes', async () => {
    const warned = jest.fn();
    process.on('warning', warned);
    const client = new RawClient(port).send(request('GET', '/slow'));
    for (let i = 0; i < 20; i++) {
      client.send('garbage\r\n\r\n');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(await client.answer()).toMatchObject({ status: 200, body: '{"slow":true}' });
    expectFailure(await client.answer(), 400, 1006);
    await client.until(() => client.ended);
    expect(client.received).toBe('');
    expect(warned).not.toHaveBeenCalled();
    client.close();
  });

  test('a client that goes away in the middle of its body leaves no trace in the log', async () => {
    const client = new RawClient(port).send(request('POST', '/things', { 'Content-Length': '10' }, 'half'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    client.close();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(logged).not.toHaveBeenCalled();
  });
});
