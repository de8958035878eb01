import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { FakeSocket } from '../../../test/support/fake-socket';
import { isLingering } from './lingering-close';
import { boundUnreadRest, deferContinue } from './unread-rest';

const LIMIT = 10;

let fake: FakeSocket;
let socket: Socket;
let request: IncomingMessage;
let response: ServerResponse;
beforeEach(() => {
  fake = new FakeSocket();
  socket = fake as unknown as Socket;
  request = Object.assign(new IncomingMessage(socket), { httpVersionMajor: 1, httpVersionMinor: 1 });
  response = new ServerResponse(request);
  response.assignSocket(socket);
});
afterEach(() => fake.destroy());

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function answered(headers: Record<string, string>, complete = false): Promise<void> {
  Object.assign(request.headers, headers);
  boundUnreadRest(request, response, LIMIT);
  request.complete = complete;
  response.end('answer');
  await settled();
}

/** What is heard of the body's data, beside `on('readable')`. */
const readers = (): number => request.listenerCount('data');

describe('boundUnreadRest', () => {
  it.each([
    ['no body', {}],
    ['a body of a length within the limit', { 'content-length': '10' }],
  ])('leaves a request with %s to Node', async (_, headers: Record<string, string>) => {
    await answered(headers);
    expect(fake.written).toContain('Connection: keep-alive');
    expect(isLingering(socket)).toBe(false);
    expect(readers()).toBe(0);
  });

  it('hears of no answer to a request without a body', () => {
    boundUnreadRest(request, response, LIMIT);
    const before = response.listenerCount('finish');
    request.headers['content-length'] = '1';
    boundUnreadRest(request, response, LIMIT);
    expect(response.listenerCount('finish')).toBe(before + 1);
  });

  it('closes the connection, and says so, when the body is declared longer than the limit', async () => {
    await answered({ 'content-length': '11' });
    expect(fake.written).toContain('Connection: close');
    expect(isLingering(socket)).toBe(true);
  });

  it('goes before those who listened earlier for the end of the answer: Node destroys the connection there', async () => {
    let closing: boolean | undefined;
    response.on('finish', () => (closing = isLingering(socket)));
    await answered({ 'content-length': '11' });
    expect(closing).toBe(true);
  });

  it('keeps the connection when a long body has wholly arrived before the answer', async () => {
    await answered({ 'content-length': '11' }, true);
    expect(fake.written).toContain('Connection: keep-alive');
    expect(isLingering(socket)).toBe(false);
  });

  it('does not close with care a connection that the client gives up, when nothing is left to come', async () => {
    response.shouldKeepAlive = false;
    await answered({ 'content-length': '5' }, true);
    expect(isLingering(socket)).toBe(false);
  });

  it('closes with care a connection that the client gives up while its body arrives', async () => {
    response.shouldKeepAlive = false;
    await answered({ 'content-length': '5' });
    expect(isLingering(socket)).toBe(true);
  });

  it('reads a body in chunks as far as the limit, then closes the connection', async () => {
    await answered({ 'transfer-encoding': 'chunked' });
    expect(readers()).toBe(1);
    request.push(Buffer.alloc(LIMIT));
    await settled();
    expect(isLingering(socket)).toBe(false);
    request.push(Buffer.alloc(1));
    await settled();
    expect(isLingering(socket)).toBe(true);
    expect(fake.isPaused()).toBe(false);
    fake.push(Buffer.alloc(1));
    await settled();
    expect(fake.isPaused()).toBe(true);
  });

  it('reads nothing of a body in chunks that has wholly arrived', async () => {
    await answered({ 'transfer-encoding': 'chunked' }, true);
    expect(readers()).toBe(0);
  });
});

describe('deferContinue', () => {
  const read = jest.fn();
  beforeEach(() => {
    read.mockClear();
    request._read = read;
    deferContinue(request, response);
  });

  it('says 100 Continue when the body is read, and once', () => {
    expect(fake.written).toBe('');
    request._read(5);
    request._read(6);
    expect(fake.written.match(/HTTP\/1\.1 100 Continue/g)).toHaveLength(1);
    expect(read.mock.calls).toEqual([[5], [6]]);
  });

  it('does not say it after an answer', () => {
    response.writeHead(401);
    response.flushHeaders();
    request._read(5);
    expect(fake.written).not.toContain('100 Continue');
    expect(read.mock.calls).toEqual([[5]]);
  });
});
