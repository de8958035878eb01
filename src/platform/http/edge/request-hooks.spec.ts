import type { FastifyInstance } from 'fastify';
import { edgeWith, received, statusesIn } from '../../../../test/support/edge';
import { MAX_HEADERS, MAX_TARGET } from './server';

/** An edge with a page, and one that has a body. */
async function edge(): Promise<FastifyInstance> {
  const fastify = edgeWith({ BODY_LIMIT: '1024' });
  fastify.get('/text', () => 'text');
  fastify.post('/text', ({ body }) => ({ isReceived: body !== undefined }));
  fastify.delete('/text', ({ body }) => ({ isReceived: body !== undefined }));
  await fastify.ready();
  return fastify;
}

const HOST = 'Host: localhost\r\n';
const CLOSE = 'Connection: close\r\n';
const answer = async (...texts: string[]): Promise<string> => received((await edge()).server, ...texts);

describe('a request', () => {
  it.each([
    ['with a path', 'GET /text'],
    ['with an absolute target', 'GET HTTPS://localhost/text'],
    ['with another one', 'GET http://localhost/text'],
    ['with the longest target', `GET /text?${'x'.repeat(MAX_TARGET - 6)}`],
    // Two line ends, and the colons and spaces of three headers, one of which has no name of its own.
    ['with the largest headers', 'GET /text', `X: ${'x'.repeat(MAX_HEADERS - 2 - 17 - 19 - 5)}\r\n`],
    ['with an expectation that can be met', 'GET /text', 'Expect: 100-Continue\r\n'],
    ['with a header twice', 'GET /text', 'X: a\r\nX: b\r\n'],
    ['with a header that is called like the value of another', 'GET /text', 'X: Host\r\n'],
  ])('%s is served', async (_what, line, fields = '') => {
    expect(statusesIn(await answer(`${line} HTTP/1.1\r\n${HOST}${CLOSE}${fields}\r\n`)).at(-1)).toBe(200);
  });

  it('of HTTP/1.0 needs no Host, and OPTIONS may be about the server', async () => {
    expect(statusesIn(await answer('GET /text HTTP/1.0\r\n\r\n'))).toEqual([200]);
    expect(statusesIn(await answer(`OPTIONS * HTTP/1.1\r\n${HOST}${CLOSE}\r\n`))).toEqual([204]);
  });

  it.each<[number, string, string, string?]>([
    [400, 'that has no Host', ''],
    [400, 'with two Hosts', `${HOST}HOST: localhost\r\n`],
    [400, 'with a second Host far down', `${HOST}${'a:b\r\n'.repeat(2000)}${HOST}`],
    [400, 'with two Authorizations', `${HOST}Authorization: a\r\nauthorization: a\r\n`],
    [400, 'with two Content-Types', `${HOST}Content-Type: a/b\r\nX: a\r\nContent-Type: a/b\r\n`],
    [400, 'about the server, but for OPTIONS', HOST, 'GET *'],
    [400, 'of OPTIONS for another scheme', HOST, 'OPTIONS ftp://localhost/text'],
    [400, 'of another scheme', HOST, 'GET ftp://localhost/text'],
    [400, 'without a host in its absolute target', HOST, 'GET http:///text'],
    [414, 'with a target that is too long', HOST, `GET /text?${'x'.repeat(MAX_TARGET - 5)}`],
    [431, 'with headers that are too large', `${HOST}X: ${'x'.repeat(MAX_HEADERS - 2 - 17 - 4)}\r\n`, 'GET /text'],
    [431, 'with many headers', HOST + 'a:b\r\n'.repeat(2800), 'GET /text'],
    [417, 'with an expectation that cannot be met', `${HOST}Expect: tea\r\n`, 'GET /text'],
  ])(
    'is answered with %i, and its connection is closed: one %s',
    async (status, _what, fields, line = 'GET /nothing') => {
      const text = await answer(`${line} HTTP/1.1\r\n${fields}\r\n`);
      expect(statusesIn(text)).toEqual([status]);
      expect(text).toMatch(/^connection: close\r\n/im);
      expect(text).toContain('"code":1006}');
    },
  );

  it('has its body received, if it is a POST, within BODY_LIMIT', async () => {
    const post = (length: number): string => `POST /text HTTP/1.1\r\n${HOST}${CLOSE}Content-Length: ${length}\r\n\r\n`;
    expect(await answer(post(4) + 'abcd')).toContain('{"isReceived":true}');
    expect(statusesIn(await answer(post(1025) + 'x'.repeat(1025)))).toEqual([413]);
    expect(await answer(post(4).replace('POST', 'DELETE') + 'abcd')).toContain('{"isReceived":false}');
  });

  it('that fails has a Link to the page of its code, unless DOCS=off', async () => {
    const linkOf = async (env?: NodeJS.ProcessEnv) => (await edgeWith(env).inject('/nothing')).headers.link;
    expect(await linkOf({ BASE_PATH: '/base' })).toBe('</base/docs/errors#1301>; rel="help"');
    expect(await linkOf({ DOCS: 'off' })).toBeUndefined();
  });
});
