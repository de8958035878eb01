import { anonymousRequest, exchange, expectRawError, RawClient, request } from './raw-client';
import { useTestApp } from './test-app';

const SIZE = 16 * 1024 * 1024;
const BODY = Buffer.alloc(SIZE, 'a');
const JSON_TYPE = { 'Content-Type': 'application/json' };

const server = useTestApp();
let port: number;
beforeAll(() => ({ port } = server));

describe('a body', () => {
  test.each([
    ['without a Content-Type', {}, null],
    ['with an invalid Content-Type', { 'Content-Type': 'no/t a type;;' }, 'no/t a type;;'],
    ['with JSON', JSON_TYPE, 'application/json'],
    ['with a form', { 'Content-Type': 'multipart/form-data; boundary=x' }, 'multipart/form-data; boundary=x'],
    ['that is compressed', { 'Content-Encoding': 'gzip' }, null],
  ])('%s reaches the handler unread', async (_name, headers, contentType) => {
    const sized = await exchange(port, request('POST', '/things', { ...headers, 'Content-Length': '4' }, 'abcd'));
    expect(sized.json().data).toEqual({ size: 4, contentType });
    const chunked = { ...headers, 'Transfer-Encoding': 'chunked' };
    const response = await exchange(port, request('POST', '/things', chunked, '4\r\nabcd\r\n0\r\n\r\n'));
    expect(response.json().data).toEqual({ size: 4, contentType });
    expect((await exchange(port, request('POST', '/things', headers))).json().data).toEqual({ size: 0, contentType });
  });

  test.each(['GET', 'HEAD', 'DELETE'])('on %s is ignored, with any media type', async (method) => {
    const headers = { 'Content-Type': 'no/t a type', 'Content-Length': '3', 'Content-Encoding': 'x' };
    const client = new RawClient(port).send(request(method, '/things/x', headers, '{"a') + request('GET', '/things'));
    expect(await client.response({ head: method === 'HEAD' })).toMatchObject({ status: 200 });
    expect(await client.response()).toMatchObject({ status: 200 });
    client.close();
  });

  test.each([100, 401, 405])('with Expect: 100-continue may be sent after a %i', async (status) => {
    const headers = { Expect: '100-continue', 'Content-Length': '4' };
    const asked = { 100: request('POST', '/things', headers), 401: anonymousRequest('POST', '/things', headers) };
    const client = new RawClient(port).send(asked[status as 100] ?? request('PATCH', '/things', headers));
    const responses = [(await client.response()).status, (await client.send('abcd').response()).status];
    expect(responses).toEqual([100, status === 100 ? 201 : status]);
    client.close();
  });
});

describe('a body that is not needed', () => {
  const cases: [status: number, code: number, data: (headers: Record<string, string>) => string][] = [
    [404, 1301, (headers) => request('POST', '/nothing', headers)],
    [405, 1400, (headers) => request('PATCH', '/things', headers)],
    [401, 1100, (headers) => anonymousRequest('POST', '/things', headers)],
    [413, 1004, (headers) => request('PUT', '/things/x', { ...headers, ...JSON_TYPE })],
    [415, 1003, (headers) => request('PUT', '/things/x', headers)],
    [417, 1006, (headers) => request('POST', '/things', { ...headers, Expect: 'tea' })],
  ];
  const kinds: [string, Record<string, string>][] = [
    ['of a declared length', { 'Content-Length': String(SIZE) }],
    ['in chunks', { 'Transfer-Encoding': 'chunked' }],
    ['on a connection that the client closes', { 'Content-Length': String(SIZE), Connection: 'close' }],
  ];

  test.each(kinds.flatMap(([name, headers]) => cases.map((one) => [name, one[0], one, headers] as const)))(
    '%s: a client that reads only after it has sent 16 MiB gets its %i',
    async (_name, _status, [status, code, data], headers) => {
      const client = new RawClient(port).send(data(headers));
      client.socket.pause();
      await sendBody(client, 'Transfer-Encoding' in headers);
      client.socket.resume();
      expectRawError(await client.response(), status, code);
      client.close();
    },
  );

  test.each(kinds.slice(0, 2))('%s leaves the connection usable', async (_name, headers) => {
    const client = new RawClient(port).send(anonymousRequest('POST', '/things', headers));
    expectRawError(await client.response(), 401, 1100);
    await sendBody(client, 'Transfer-Encoding' in headers);
    client.send(request('GET', '/things'));
    expect(await client.response()).toMatchObject({ status: 200 });
    client.close();
  });
});

function sendBody({ socket }: RawClient, isChunked: boolean): Promise<void> {
  const chunked = [Buffer.from(`${SIZE.toString(16)}\r\n`), BODY, Buffer.from('\r\n0\r\n\r\n')];
  // Resolves once the server has accepted all bytes, or has closed the connection.
  return new Promise((resolve) => socket.write(isChunked ? Buffer.concat(chunked) : BODY, () => resolve()));
}
