import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { exchange, expectFailure, RawClient, request } from './raw-client';
import { startWireApp } from './wire-app';

const LIMIT = 65_536;

describe('bodies', () => {
  let app: NestFastifyApplication;
  let port: number;

  beforeAll(async () => {
    ({ app, port } = await startWireApp());
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
