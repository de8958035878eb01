import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { until } from '../../support/until';
import { expectRawError, RawClient, request, useRawService } from '../../support/raw-client';

const SIZE = 16 * 1024 * 1024;
const BODY = Buffer.alloc(SIZE, 'a');
const JSON_TYPE = { 'Content-Type': 'application/json' };
const FORM_TYPE = { 'Content-Type': 'multipart/form-data; boundary=x' };

const server = useRawService();
const { asAdmin, service } = server;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

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
    [401, 1100, (headers) => request('DELETE', '/users/me', headers)],
    [401, 1100, (headers) => request('POST', '/files', { ...headers, ...FORM_TYPE })],
    [415, 1003, (headers) => asAdmin('PUT', '/users/me', { ...headers, ...FORM_TYPE })],
  ];
  const kinds: [string, Record<string, string>][] = [
    ['of a declared length', { 'Content-Length': String(SIZE) }],
    ['in chunks', { 'Transfer-Encoding': 'chunked' }],
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

  test.each(kinds)('%s leaves the connection usable', async (_name, headers) => {
    const client = new RawClient(server.port).send(request('DELETE', '/users/me', headers));
    expectRawError(await client.response(), 401, 1100);
    await sendBody(client, 'Transfer-Encoding' in headers);
    client.send(asAdmin('GET', '/organizations'));
    expect(await client.response()).toMatchObject({ status: 200 });
    client.close();
  });

  test('may close the connection where it is too large', async () => {
    const client = new RawClient(server.port).send(request('PUT', '/users/me', { 'Content-Length': String(SIZE) }));
    const response = await client.response();
    expectRawError(response, 413, 1004);
    expect(response.headers.connection).toBe('close');
    client.close();
  });
});

describe('bodies that are held', () => {
  const [CLIENTS, CHUNKS] = [500, 1200];
  const MIB = 1024 * 1024;

  test('of 500 clients without a login, one byte per chunk, take less than 64 KiB each and 16 MiB', async () => {
    const sockets: Socket[] = [];
    // A busy machine may need more than the ten seconds that a client has.
    const http = Object.assign(service.app.getHttpServer(), { requestTimeout: 0 });
    http.on('connection', (socket: Socket) => sockets.push(socket));
    const clients = Array.from({ length: CLIENTS }, () => new RawClient(server.port));
    const head = request('POST', '/organizations', { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' });
    for (const client of clients) client.send(head);
    const arrived = (bytes: number): Promise<void> =>
      until(() => sockets.length === CLIENTS && sockets.every(({ bytesRead }) => bytesRead >= bytes));
    await arrived(head.length);
    const before = memoryInUse();
    const chunks = '1\r\na\r\n'.repeat(CHUNKS);
    for (const client of clients) client.send(chunks);
    await arrived(head.length + chunks.length);
    expect(memoryInUse() - before).toBeLessThan(CLIENTS * 64 * 1024 + 16 * MIB);
    for (const client of clients) client.send('0\r\n\r\n');
    for (const client of clients) expectRawError(await client.response(), 401, 1100);
    for (const client of clients) client.close();
  });
});

/** In bytes, inside and outside of the heap. */
function memoryInUse(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function sendBody({ socket }: RawClient, isChunked: boolean): Promise<void> {
  const chunked = [Buffer.from(`${SIZE.toString(16)}\r\n`), BODY, Buffer.from('\r\n0\r\n\r\n')];
  // Resolves once the server has accepted all bytes, or has closed the connection.
  return new Promise((resolve) => socket.write(isChunked ? Buffer.concat(chunked) : BODY, () => resolve()));
}
