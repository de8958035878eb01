import { expectRawError, RawClient, request, useRawService } from './raw-client';

const SIZE = 16 * 1024 * 1024;
const BODY = Buffer.alloc(SIZE, 'a');
const JSON_TYPE = { 'Content-Type': 'application/json' };

const server = useRawService();
const { asAdmin } = server;

describe('a body', () => {
  test.each(['GET', 'HEAD', 'DELETE'])('on %s is ignored, with any media type', async (method) => {
    const headers = { 'Content-Type': 'no/t a type', 'Content-Length': '3', 'Content-Encoding': 'x' };
    const ignored = asAdmin(method, '/organizations/x', headers, '{"a');
    const client = new RawClient(server.port).send(ignored + asAdmin('GET', '/organizations'));
    expect(await client.response({ head: method === 'HEAD' })).toMatchObject({ status: 404 });
    expect(await client.response()).toMatchObject({ status: 200 });
    client.close();
  });

  test.each([100, 401, 405])('with Expect: 100-continue may be sent after a %i', async (status) => {
    const headers = { ...JSON_TYPE, Expect: '100-continue', 'Content-Length': '4' };
    const send = status === 401 ? request : asAdmin;
    const client = new RawClient(server.port).send(send(status === 405 ? 'PATCH' : 'POST', '/organizations', headers));
    const responses = [(await client.response()).status, (await client.send('abcd').response()).status];
    expect(responses).toEqual([100, status === 100 ? 400 : status]);
    client.close();
  });
});

describe('a body that is not needed', () => {
  const cases: [status: number, code: number, data: (headers: Record<string, string>) => string][] = [
    [404, 1301, (headers) => asAdmin('POST', '/nothing', headers)],
    [405, 1400, (headers) => asAdmin('PATCH', '/organizations', headers)],
    [401, 1100, (headers) => request('POST', '/organizations', headers)],
    [413, 1004, (headers) => asAdmin('PUT', '/users/me', { ...headers, ...JSON_TYPE })],
    [415, 1003, (headers) => asAdmin('PUT', '/users/me', headers)],
    [417, 1006, (headers) => asAdmin('POST', '/organizations', { ...headers, Expect: 'tea' })],
  ];
  const kinds: [string, Record<string, string>][] = [
    ['of a declared length', { 'Content-Length': String(SIZE) }],
    ['in chunks', { 'Transfer-Encoding': 'chunked' }],
    ['on a connection that the client closes', { 'Content-Length': String(SIZE), Connection: 'close' }],
  ];

  test.each(kinds.flatMap(([name, headers]) => cases.map((one) => [name, one[0], one, headers] as const)))(
    '%s: a client that reads only after it has sent 16 MiB gets its %i',
    async (_name, _status, [status, code, data], headers) => {
      const client = new RawClient(server.port).send(data(headers));
      client.socket.pause();
      await sendBody(client, 'Transfer-Encoding' in headers);
      client.socket.resume();
      expectRawError(await client.response(), status, code);
      client.close();
    },
  );

  test.each(cases)('does not delay its %i on a connection that ends after it', async (status, code, data) => {
    const headers = { 'Content-Length': String(SIZE), Connection: 'close' };
    const client = new RawClient(server.port).send(data(headers));
    expectRawError(await client.response(), status, code);
    await sendBody(client, false);
    await client.until(() => client.ended);
  });

  test.each(kinds.slice(0, 2))('%s leaves the connection usable', async (_name, headers) => {
    const client = new RawClient(server.port).send(request('POST', '/organizations', headers));
    expectRawError(await client.response(), 401, 1100);
    await sendBody(client, 'Transfer-Encoding' in headers);
    client.send(asAdmin('GET', '/organizations'));
    expect(await client.response()).toMatchObject({ status: 200 });
    client.close();
  });
});

function sendBody({ socket }: RawClient, isChunked: boolean): Promise<void> {
  const chunked = [Buffer.from(`${SIZE.toString(16)}\r\n`), BODY, Buffer.from('\r\n0\r\n\r\n')];
  // Resolves once the server has accepted all bytes, or has closed the connection.
  return new Promise((resolve) => socket.write(isChunked ? Buffer.concat(chunked) : BODY, () => resolve()));
}
