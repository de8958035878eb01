import { once } from 'node:events';
import type { Socket } from 'node:net';
import { apiErrors, ErrorName } from '../../../src/platform/base/errors/api-error';
import { watchUnexpected } from '../../contract/unexpected';
import { exchange, expectRawError, RawClient, request, useRawService } from '../../support/raw-client';

/** Would run if an error were shown as a page: no response contains it as it was sent. */
const SCRIPT = '<script>alert(1)</script>';

const server = useRawService();
const { service, asAdmin } = server;

describe('requests that cannot be used', () => {
  const expectNothingUnexpected = watchUnexpected();
  const printed = jest.spyOn(process.stderr, 'write');

  afterAll(() => {
    expectNothingUnexpected();
    expect(printed).not.toHaveBeenCalled();
  });

  const host = 'Host: localhost\r\n';
  // Neither the path nor the method exists: a request is rejected before both are checked.
  const unknown = (fields: string): string => `PATCH /nothing HTTP/1.1\r\n${host}${fields}\r\n`;
  const post = (fields: string, body = ''): string => `POST /organizations HTTP/1.1\r\n${host}${fields}\r\n\r\n${body}`;
  const first = (line: string): string => `${line}\r\n${host}\r\n`;
  const chunked = 'Transfer-Encoding: chunked';
  test.each<[string, number, string]>([
    ['garbage', 400, '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n'],
    ['an unknown method', 400, first('FOO /organizations HTTP/1.1')],
    ['a method in lower case', 400, first('get /organizations HTTP/1.1')],
    ['another protocol', 400, first('GET /organizations SMTP/1.1')],
    ['NUL in the target', 400, first('GET /organi\0zations HTTP/1.1')],
    ['NUL in a header', 400, unknown('X: a\0b\r\n')],
    ['a header without a name', 400, unknown(': x\r\n')],
    ['a space before the colon', 400, 'GET /organizations HTTP/1.1\r\nHost : localhost\r\n\r\n'],
    ['a folded header', 400, unknown('X: a\r\n b\r\n')],
    ['a target without a slash', 400, first('GET organizations HTTP/1.1')],
    ['a star with something after it', 400, first('GET *organizations HTTP/1.1')],
    ['broken percent-encoding in the path', 400, first('GET /organizations/%zz HTTP/1.1')],
    ['a character in the path that is cut off', 400, first('GET /users/a%c3%28/b HTTP/1.1')],
    ['Content-Length with Transfer-Encoding', 400, post(`Content-Length: 5\r\n${chunked}`, '0\r\n\r\n')],
    ['two Content-Lengths', 400, post('Content-Length: 1\r\nContent-Length: 2', 'ab')],
    ['a negative Content-Length', 400, post('Content-Length: -1')],
    ['a Transfer-Encoding that does not end in chunked', 400, post('Transfer-Encoding: gzip')],
    ['a broken chunk', 400, post(`Authorization: x\r\n${chunked}`, 'zz\r\n')],
    ['no Host', 400, 'PATCH /nothing HTTP/1.1\r\n\r\n'],
    ['two Hosts', 400, unknown('HOST: localhost\r\n')],
    ['a second Host far down', 400, unknown(`${'a:b\r\n'.repeat(2000)}${host}`)],
    ['two Authorizations', 400, unknown('Authorization: a\r\nauthorization: a\r\n')],
    ['two Content-Types', 400, unknown('Content-Type: a/b\r\nX: a\r\nContent-Type: a/b\r\n')],
    ['a star without OPTIONS', 400, first('GET * HTTP/1.1')],
    ['another scheme', 400, first('GET ftp://localhost/organizations HTTP/1.1')],
    ['another scheme of OPTIONS', 400, first('OPTIONS ftp://localhost/organizations HTTP/1.1')],
    ['an absolute target without a host', 400, first('GET http:///organizations HTTP/1.1')],
    ['many headers', 431, unknown('a:b\r\n'.repeat(2800))],
    ['a target of 40 KiB', 431, first(`GET /${'a'.repeat(40_000)} HTTP/1.1`)],
    ['a header section of 40 KiB', 431, unknown(`X: ${'a'.repeat(40_000)}\r\n`)],
    ['an expectation other than 100-continue', 417, unknown('Expect: tea\r\n')],
  ])('%s gets %i with code 1006, and the connection is closed', async (_name, status, data) => {
    const client = new RawClient(server.port).send(Buffer.from(data, 'latin1'));
    const response = await client.response();
    expectRawError(response, status, 1006);
    expect(response.headers.connection).toBe('close');
    await client.until(() => client.ended);
    expect(client.received).toBe('');
    client.close();
  });

  test.each<[string, number, string]>([
    ['an absolute target', 401, first('GET HTTPS://localhost/organizations HTTP/1.1')],
    ['HTTP/1.0 without a Host', 401, 'GET /organizations HTTP/1.0\r\n\r\n'],
    [
      'an expectation that can be met',
      100,
      first('GET /organizations HTTP/1.1').replace('Host', 'Expect: 100-Continue\r\nHost'),
    ],
    ['a header twice', 404, `GET /nothing HTTP/1.1\r\n${host}X: a\r\nX: b\r\n\r\n`],
    ['a header that has the name of another as its value', 404, `GET /nothing HTTP/1.1\r\n${host}X: Host\r\n\r\n`],
    ['OPTIONS for the service', 204, first('OPTIONS * HTTP/1.1')],
  ])('%s is accepted, and its response is %i', async (_name, status, data) => {
    expect(await exchange(server.port, data)).toMatchObject({ status });
  });

  test('a target of 8 KiB and a header section of 16 KiB are accepted', async () => {
    const target = `/organizations/${'a'.repeat(8192 - 15)}`;
    const withHeader = (length: number): string => asAdmin('GET', target, { X: 'a'.repeat(length) });
    const rest = withHeader(0).length - `GET ${target} HTTP/1.1\r\n`.length;
    expectRawError(await exchange(server.port, withHeader(16_384 - rest)), 404, 1234);
    expectRawError(await exchange(server.port, withHeader(16_384 - rest + 1)), 431, 1006);
  });

  const json = { 'Content-Type': 'application/json' };
  const form = { 'Content-Type': 'multipart/form-data; boundary=x' };
  const gzip = { 'Transfer-Encoding': 'gzip, chunked' };
  const content = `{"${SCRIPT}":1}`;
  const length = { 'Content-Length': String(content.length) };
  const chunk = '4\r\n{}  \r\n0\r\n\r\n';
  test.each<[string, ErrorName, Parameters<typeof asAdmin>]>([
    ['a script in a path', 'pathNotFound', ['GET', `/${SCRIPT}`]],
    ['an encoded script in a path', 'pathNotFound', ['GET', `/${encodeURIComponent(SCRIPT)}`]],
    ['a script in a query', 'invalidQuery', ['GET', `/users?${SCRIPT}=1`]],
    ['an encoded script in a query', 'invalidQuery', ['GET', `/users?limit=${encodeURIComponent(SCRIPT)}`]],
    ['a script in a token', 'tokenUnusable', ['GET', '/users', { Authorization: `Bearer ${SCRIPT}` }]],
    ['a script in a field name', 'invalidContent', ['POST', '/users', { ...json, ...length }, content]],
    ['a compressed body', 'unsupportedMediaType', ['POST', '/sessions', { ...json, ...gzip }, chunk]],
    ['a form compressed for the transfer', 'unsupportedMediaType', ['POST', '/files', { ...form, ...gzip }, chunk]],
  ])('%s gets the error %s, without markup', async (_name, name, args) => {
    const response = await exchange(server.port, asAdmin(...args));
    const { status, code } = apiErrors[name];
    expect([response.status, response.json()]).toMatchObject([status, { status: 'fail', code }]);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.body + JSON.stringify(response.headers)).not.toContain(SCRIPT);
  });

  test('a list requested with an absolute target links its pages by absolute paths', async () => {
    await service.account();
    const { headers } = await exchange(server.port, asAdmin('GET', 'http://localhost/users?limit=1'));
    expect(headers.link).toBe(`</users?limit=1&after=${service.admin.id}>; rel="next"`);
  });

  test('CONNECT closes the connection', async () => {
    const client = new RawClient(server.port).send(`CONNECT localhost:443 HTTP/1.1\r\n${host}\r\n`);
    await client.until(() => client.ended || client.closed);
    client.close();
  });

  test('an Upgrade is ignored', async () => {
    const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket' };
    expect(await exchange(server.port, asAdmin('GET', '/organizations', upgrade))).toMatchObject({ status: 200 });
  });

  test('a client that disconnects in the middle of its body leaves no trace in the log', async () => {
    const late = { ...json, 'Content-Length': '10', Expect: '100-continue' };
    const connected = once(service.app.getHttpServer(), 'connection');
    const client = new RawClient(server.port).send(asAdmin('POST', '/organizations', late, 'half'));
    expect(await client.response()).toMatchObject({ status: 100 });
    client.close();
    const [socket] = (await connected) as [Socket];
    await once(socket, 'close');
  });
});

describe('requests that never end', () => {
  const form = { 'Content-Type': 'multipart/form-data; boundary=x' };
  const half = { 'Content-Length': '10', 'Content-Type': 'application/json' };

  /** Requests that never end. They are all sent together, since the server looks for them once a second. */
  let unfinished: RawClient[];
  /** By the status of their responses. */
  let rejected: [number, number, RawClient][];
  beforeAll(() => {
    // Not ten seconds (src/platform/http/edge/edge.spec.ts).
    Object.assign(service.app.getHttpServer(), { headersTimeout: 1000, requestTimeout: 1000 });
    const send = (data: string): RawClient => new RawClient(server.port).send(data);
    unfinished = [
      send('GET /organizations HTTP/1.1\r\n'),
      send(asAdmin('POST', '/organizations', half, 'half')),
      send(request('POST', '/organizations', half, 'half')),
    ];
    rejected = [
      [401, 1100, send(request('DELETE', '/users/me', half, 'half'))],
      [401, 1100, send(request('POST', '/files', { ...half, ...form }, 'half'))],
      [404, 1301, send(asAdmin('POST', '/nothing', { ...half, Connection: 'close' }, 'half'))],
    ];
  });
  afterAll(() => [...unfinished, ...rejected.map(([, , client]) => client)].forEach((client) => client.close()));

  test('a request that never ends gets 408, also without a login', async () => {
    for (const client of unfinished) expectRawError(await client.response(), 408, 1006);
  });

  test('a body that is not needed and never ends is discarded until the request times out', async () => {
    for (const [status, code, client] of rejected) {
      expectRawError(await client.response(), status, code);
      await client.until(() => client.ended || client.closed);
      expect(client.received).toBe('');
    }
  });
});
