import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { handleClientError } from './client-error';

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
const statuses = (): number[] => [...written.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status));

describe('handleClientError', () => {
  it.each([
    [408, 'ERR_HTTP_REQUEST_TIMEOUT'],
    [400, 'HPE_INVALID_METHOD'],
    [431, 'HPE_HEADER_OVERFLOW'],
  ])('sends %i for %s once, reads nothing more, and destroys the connection after two seconds', (status, code) => {
    for (let times = 0; times < 3; times += 1) handle(code);
    expect(statuses()).toEqual([status]);
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
