import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { received, statusesIn } from '../../../../test/support/edge';
import { settingsWith } from '../../../../test/support/settings';
import { createAdapter } from './adapter';
import { handleClientError } from './client-error';
import { COMMON_HEADERS } from './response-headers';
import { createHttpServer } from './server';

describe('handleClientError', () => {
  /** A connection without a network. */
  let fake: Duplex;
  let written: string;
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    written = '';
    const write = (chunk: Buffer, _encoding: string, done: () => void): void => {
      written += chunk.toString();
      done();
    };
    fake = new Duplex({ read: () => undefined, write });
  });
  afterEach(() => {
    fake.destroy();
    jest.useRealTimers();
  });

  const handle = (code?: string): void =>
    handleClientError(Object.assign(new Error('rejected'), { code }), fake as unknown as Socket, undefined);

  it.each([
    [408, 'ERR_HTTP_REQUEST_TIMEOUT'],
    [400, 'HPE_INVALID_METHOD'],
    [431, 'HPE_HEADER_OVERFLOW'],
  ])('sends %i for %s once, reads nothing more, and destroys the connection after two seconds', (status, code) => {
    for (let times = 0; times < 3; times += 1) handle(code);
    expect(statusesIn(written)).toEqual([status]);
    expect(fake).toMatchObject({ writableEnded: true, destroyed: false });
    expect(fake.isPaused()).toBe(true);
    jest.advanceTimersByTime(1999);
    expect(fake.destroyed).toBe(false);
    jest.advanceTimersByTime(1);
    expect(fake.destroyed).toBe(true);
  });

  it('waits no longer once the connection is closed', async () => {
    handle('HPE_INVALID_METHOD');
    fake.destroy();
    await new Promise((resolve) => setImmediate(resolve));
    expect(jest.getTimerCount()).toBe(0);
  });

  it.each([undefined, 'ECONNRESET', 'ERR_STREAM_DESTROYED'])('sends nothing if the connection failed: %j', (code) => {
    handle(code);
    expect([written, fake.destroyed]).toEqual(['', true]);
  });
});

describe('what the parser rejects on a connection', () => {
  const get = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const post = 'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n';
  const broken = 'zz\r\n';

  /** What a client receives that sends these texts. */
  function answer(texts: readonly string[], handler: RequestListener = () => undefined): Promise<string> {
    const server = createHttpServer(handler, 10);
    server.on('clientError', (error, socket) => handleClientError(error, socket as Socket, '/docs/errors'));
    return received(server, ...texts);
  }

  it('gets a whole response, with the headers of all, that repeats nothing', async () => {
    const [head = '', body = ''] = (await answer(['gar<bage\r\n\r\n'])).split('\r\n\r\n');
    const [line, ...fields] = head.split('\r\n');
    expect(line).toBe('HTTP/1.1 400 Bad Request');
    expect(Object.fromEntries(fields.map((field) => field.split(': ')))).toEqual({
      ...COMMON_HEADERS,
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(body.length),
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      link: '</docs/errors#1006>; rel="help"',
      date: expect.stringMatching(/ GMT$/),
      connection: 'close',
    });
    expect(JSON.parse(body)).toEqual({ status: 'fail', message: expect.any(String), code: 1006 });
    expect(body).not.toContain('bage');
  });

  it('has an error that says how to encode a target, if that is the mistake', async () => {
    expect(await answer([get.replace('/', '/\u00e9')])).toContain('percent-encoding');
    expect(await answer([get.replace('GET', 'GO')])).not.toContain('percent-encoding');
  });

  it.each<[string, number[], string[], RequestListener?]>([
    ['after a response', [200, 400], [get, 'x\r\n\r\n'], (_request, response) => response.end()],
    ['while a request waits for its response', [], [`${get}x\r\n\r\n`]],
    ['in the body of a request without a response', [400], [post + broken]],
    ['in the body of a request whose response has begun', [200], [post, broken], (_, response) => response.write('a')],
    ['in the body of a request behind another one', [], [get + post + broken]],
  ])(
    'is answered only if the client cannot take the response for that of another request: %s',
    async (_where, ...rest) => {
      const [statuses, texts, handler] = rest;
      expect(statusesIn(await answer(texts, handler))).toEqual(statuses);
    },
  );

  it('includes a path that the router cannot decode', async () => {
    const fastify = createAdapter(settingsWith()).getInstance();
    fastify.get('/:id', () => 'found');
    const { statusCode, headers, body } = await fastify.inject('/%zz');
    expect(statusCode).toBe(400);
    expect(headers).toMatchObject({ ...COMMON_HEADERS, connection: 'close' });
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(JSON.parse(body)).toEqual({
      status: 'fail',
      message: expect.stringContaining('percent-encoding'),
      code: 1006,
    });
  });
});
