import { gzipSync } from 'node:zlib';
import type { Socket } from 'node:net';
import { apiErrors, ErrorName } from '../../src/errors/api-error';
import { Service, startService } from '../support/service';
import { exchange, RawAnswer, RawClient } from '../wire/raw-client';
import { Unexpected, watchUnexpected } from './unexpected';

/** Would run, were an answer shown as a page: no answer holds it as it was sent. */
const MARK = '<script>alert(1)</script>';
const ORIGIN = 'https://pages.example';
const BODY_LIMIT = 65_536;
const HOST = 'Host: localhost\r\n';

let service: Service;
let port: number;
let unexpected: Unexpected;
let token: string;
/** Sends half a request before all tests, since its answer takes ten seconds. */
let unfinished: RawClient;
const sockets: Socket[] = [];
beforeAll(async () => {
  unexpected = watchUnexpected();
  service = await startService({ CORS_ORIGINS: ORIGIN });
  port = Number(new URL(await service.url()).port);
  token = `Authorization: Bearer ${service.admin.token}\r\n`;
  unfinished = new RawClient(port).send(raw('POST /sessions', json('0123456789'), '{'));
  service.app.getHttpServer().on('connection', (socket: Socket) => sockets.push(socket));
});
afterAll(async () => {
  await service.stop();
  unexpected.stop();
  expect(unexpected.found).toEqual([]);
});

/** What every failure promises, whichever layer gives it (contract §2). */
function expectRawFailure(answer: RawAnswer, name: ErrorName): void {
  const { status, code } = apiErrors[name];
  expect({ status: answer.status, body: answer.json() }).toMatchObject({ status, body: { status: 'fail', code } });
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': expect.stringMatching(/^(?:private, no-cache|no-store)$/),
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(answer.headers).not.toHaveProperty('server');
  expect(answer.body).not.toContain(MARK);
  expect(JSON.stringify(answer.headers)).not.toContain(MARK);
}

const raw = (line: string, fields = '', body = ''): Buffer =>
  Buffer.from(`${line} HTTP/1.1\r\n${HOST}${fields}\r\n${body}`, 'latin1');
const json = (body: string, fields = ''): string =>
  `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body, 'latin1')}\r\n${fields}`;

describe('what no client should send is answered with the fail envelope, and is no unexpected error', () => {
  const login = '{"username":"nobody","password":"not their password"}';
  const gzipped = gzipSync(login).toString('latin1');

  it.each<[string, ErrorName, string | Buffer]>([
    ['TLS on a plain port', 'unusableRequest', '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n'],
    ['an unknown method', 'unusableRequest', raw(`${'X'.repeat(10)} /users`)],
    ['a target with a script', 'unusableRequest', `GET ${MARK} HTTP/1.1\r\n${HOST}\r\n`],
    ['a path with a script', 'pathNotFound', raw(`GET /${encodeURIComponent(MARK)}`)],
    ['a raw script in a path', 'pathNotFound', raw(`GET /${MARK}`)],
    ['a raw script in a query', 'invalidQuery', raw(`GET /users?${MARK}=1`, 'A')],
    ['a script as a value', 'invalidQuery', raw(`GET /users?limit=${encodeURIComponent(MARK)}`, 'A')],
    ['no Host', 'unusableRequest', 'GET /users HTTP/1.1\r\n\r\n'],
    ['two Hosts', 'unusableRequest', raw('GET /users', HOST)],
    ['bad percent-encoding in an id', 'userNotFound', raw('GET /users/%zz', 'A')],
    ['broken UTF-8 in an id', 'organizationNotFound', raw('GET /organizations/%c3%28', 'A')],
    ['NUL in an id', 'organizationNotFound', raw('GET /organizations/%00', 'A')],
    ['a raw NUL in the target', 'unusableRequest', raw('GET /users/\0', 'A')],
    ['bad percent-encoding in a query', 'invalidQuery', raw('GET /users?q=%zz', 'A')],
    ['NUL in a query', 'invalidQuery', raw('GET /users?q=a%00', 'A')],
    ['a raw byte in a query', 'unusableRequest', raw('GET /users?q=\xff', 'A')],
    ['a target of more than 8 KiB', 'uriTooLong', raw(`GET /users?q=${'a'.repeat(8200)}`, 'A')],
    ['headers of more than 16 KiB', 'headersTooLarge', raw('GET /users', `X: ${'a'.repeat(16_400)}\r\n`)],
    [
      'a Content-Length beside chunks',
      'unusableRequest',
      raw('POST /sessions', `${json('0\r\n\r\n')}Transfer-Encoding: chunked\r\n`, '0\r\n\r\n'),
    ],
    ['an expectation', 'expectationFailed', raw('POST /sessions', json(login, 'Expect: tea\r\n'), login)],
    ['TRACE', 'methodNotAllowed', raw('TRACE /users', `X: ${MARK}\r\n`)],
    ['TRACE on no path', 'pathNotFound', raw('TRACE /nothing')],
    ['CONNECT', 'methodNotAllowed', `CONNECT localhost:443 HTTP/1.1\r\n${HOST}\r\n`],
    ['PATCH', 'methodNotAllowed', raw('PATCH /sessions', json(login), login)],
    [
      'a compressed body',
      'unsupportedMediaType',
      raw('POST /sessions', `${json(gzipped)}Content-Encoding: gzip\r\n`, gzipped),
    ],
    [
      'a body that is compressed for the transfer',
      'unsupportedMediaType',
      raw(
        'POST /sessions',
        'Content-Type: application/json\r\nTransfer-Encoding: gzip, chunked\r\n',
        `${gzipped.length.toString(16)}\r\n${gzipped}\r\n0\r\n\r\n`,
      ),
    ],
    [
      'a form that is called compressed for the transfer',
      'unsupportedMediaType',
      raw(
        'POST /files',
        'Content-Type: multipart/form-data; boundary=x\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\nA',
        '5\r\n--x--\r\n0\r\n\r\n',
      ),
    ],
    ['a body that is compressed unsaid', 'unusableBody', raw('POST /sessions', json(gzipped), gzipped)],
    ['a body in Latin-1', 'unusableBody', raw('POST /sessions', json('{"username":"\xe9"}'), '{"username":"\xe9"}')],
    [
      'a charset other than UTF-8',
      'unsupportedMediaType',
      raw('POST /sessions', `Content-Type: application/json; charset=utf-16\r\nContent-Length: 2\r\n`, '{}'),
    ],
    ['a byte order mark', 'unusableBody', raw('POST /sessions', json('\xef\xbb\xbf{}'), '\xef\xbb\xbf{}')],
    ['no media type', 'unsupportedMediaType', raw('POST /sessions', 'Content-Length: 2\r\n', '{}')],
    [
      'a form to another than /files',
      'unsupportedMediaType',
      raw('POST /sessions', 'Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 5\r\n', '--x--'),
    ],
    ['no body', 'unusableBody', raw('POST /sessions', 'Content-Length: 0\r\n')],
    [
      'a body of 0.1 KiB more than may be',
      'bodyTooLarge',
      raw('POST /sessions', json('a'.repeat(BODY_LIMIT + 100)), 'a'.repeat(BODY_LIMIT + 100)),
    ],
    ['a script as a field', 'invalidContent', raw('POST /sessions', json('{"a":1}'), '{"a":1}')],
    ['a token with a script', 'tokenUnusable', raw('GET /users', `Authorization: Bearer ${MARK}\r\n`)],
    ['another scheme', 'noCredentials', raw('GET /users', 'Authorization: Basic eDp5\r\n')],
  ])('%s: %s', async (_name, failure, data) => {
    const sent = data.toString('latin1').replace('\r\nA\r\n', `\r\n${token}\r\n`);
    expectRawFailure(await exchange(port, Buffer.from(sent, 'latin1')), failure);
  });

  it('the name of an unknown field comes back as it was, yet holds no markup', async () => {
    const body = JSON.stringify({ [`${MARK}&"\\u2028`]: 1 });
    const answer = await exchange(port, raw('POST /users', token + json(body), body));
    expectRawFailure(answer, 'invalidContent');
    expect(answer.json().message).toContainEqual({ code: 5003, title: `${MARK}&"\\u2028`, detail: expect.any(String) });
  });
});

it('a list that is asked for by an absolute target links its pages by absolute paths', async () => {
  await service.account();
  const { headers } = await exchange(port, raw('GET http://localhost/users?limit=1', token));
  expect(headers.link).toBe(`</users?limit=1&after=${service.admin.id}>; rel="next"`);
});

describe('a body that nobody asked for', () => {
  it.each(['GET', 'HEAD', 'DELETE'])('on %s is ignored', async (method) => {
    const fields = `${token}Content-Type: no/t a type\r\nContent-Encoding: x\r\nContent-Length: 3\r\n`;
    const target = method === 'DELETE' ? '/organizations/x' : '/users';
    const client = new RawClient(port).send(raw(`${method} ${target}`, fields, '{"a')).send(raw('GET /users', token));
    expect(await client.answer({ head: method === 'HEAD' })).toMatchObject({ status: method === 'DELETE' ? 404 : 200 });
    expect(await client.answer()).toMatchObject({ status: 200 });
    client.close();
  });

  const TEXT = 'text/plain';
  const JSON_TYPE = 'application/json';
  const FORM = 'multipart/form-data; boundary=x';

  it('of 200 MB is left unread whichever check fails, and the client gets its answer', async () => {
    const cases: [status: number, line: string, type: string, credentials?: string][] = [
      [404, 'POST /nothing', TEXT],
      [405, 'PATCH /users', TEXT],
      [401, 'POST /organizations', JSON_TYPE, ''],
      [404, 'PUT /organizations/x', JSON_TYPE],
      [400, 'POST /organizations?a=b', JSON_TYPE],
      [415, 'POST /sessions', TEXT],
      [413, 'POST /sessions', JSON_TYPE],
      [401, 'POST /files', FORM, ''],
      [413, 'POST /files', FORM],
      [404, 'DELETE /organizations/x', TEXT],
    ];
    const found = await Promise.all(
      cases.map(async ([, line, type, credentials = token]) => {
        const client = new RawClient(port);
        client.send(raw(line, `${credentials}Content-Type: ${type}\r\nContent-Length: 209715200\r\n`));
        const pump = pumpInto(client);
        const { status } = await client.answer({ timeout: 10_000 });
        const socket = sockets.find(({ remotePort }) => remotePort === client.socket.localPort);
        await client.until(() => client.closed || socket?.destroyed === true, 10_000);
        client.close();
        await pump;
        return { line, status, isBounded: socket !== undefined && socket.bytesRead < 8 * BODY_LIMIT };
      }),
    );
    expect(found).toEqual(cases.map(([status, line]) => ({ line, status, isBounded: true })));
  });
});

/** Sends zeros as fast as the service takes them, until the connection is gone. */
async function pumpInto(client: RawClient): Promise<void> {
  const chunk = Buffer.alloc(BODY_LIMIT);
  while (!client.closed && client.socket.writable) {
    if (client.socket.write(chunk)) await new Promise((resolve) => setImmediate(resolve));
    else await new Promise<void>((resolve) => client.socket.once('drain', resolve).once('close', resolve));
  }
}

describe('HEAD, OPTIONS and CORS', () => {
  it('HEAD has the headers of GET and no body', async () => {
    const client = new RawClient(port).send(raw('HEAD /users', token)).send(raw('GET /users', token));
    const [head, get] = [await client.answer({ head: true }), await client.answer()];
    client.close();
    for (const { headers } of [head, get]) for (const name of ['x-request-id', 'date']) delete headers[name];
    expect(head).toMatchObject({ status: 200, headers: get.headers, body: '' });
  });

  it('OPTIONS * names the methods of the service', async () => {
    const answer = await exchange(port, raw('OPTIONS *'));
    expect(answer).toMatchObject({ status: 204, headers: { allow: 'GET, HEAD, POST, PUT, DELETE, OPTIONS' } });
  });

  it('a preflight needs no account, and an allowed origin reads failures too', async () => {
    const preflight = `Origin: ${ORIGIN}\r\nAccess-Control-Request-Method: PUT\r\n`;
    const answer = await exchange(port, raw('OPTIONS /organizations/x', preflight));
    expect(answer).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': ORIGIN,
        'access-control-allow-methods': answer.headers.allow,
        'access-control-allow-headers': 'Authorization, Content-Type, If-Match, If-None-Match, Prefer',
      },
    });
    const refused = await exchange(port, raw('GET /users', `Origin: ${ORIGIN}\r\n`));
    expect(refused).toMatchObject({ status: 401, headers: { 'access-control-allow-origin': ORIGIN } });
    expect(refused.headers['access-control-expose-headers']).toBe(
      'ETag, Link, Location, Retry-After, X-Request-Id, X-Total-Count',
    );
  });

  it('another origin gets none of it', async () => {
    const answer = await exchange(port, raw('OPTIONS /users', 'Origin: https://other.example\r\n'));
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

it('a request that never ends is answered with 408', async () => {
  expectRawFailure(await unfinished.answer({ timeout: 15_000 }), 'requestTimeout');
  unfinished.close();
}, 20_000);
