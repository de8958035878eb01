import type { Socket } from 'node:net';
import { FakeSocket } from '../../../test/support/fake-socket';
import { isLingering, lingeringClose } from './lingering-close';

const LIMIT = 10;

let fake: FakeSocket;
let socket: Socket;
beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  fake = new FakeSocket();
  socket = fake as unknown as Socket;
});
afterEach(() => {
  fake.destroy();
  jest.useRealTimers();
});

/** Until what streams do after this tick is done. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('lingeringClose', () => {
  it('closes the sending side at once, and leaves the other open for a client that still sends', async () => {
    expect(isLingering(socket)).toBe(false);
    lingeringClose(socket, LIMIT);
    await settled();
    expect(isLingering(socket)).toBe(true);
    expect(fake).toMatchObject({ writableFinished: true, destroyed: false });
  });

  it('destroys a connection whose client does not close within two seconds', () => {
    lingeringClose(socket, LIMIT);
    jest.advanceTimersByTime(1999);
    expect(fake.destroyed).toBe(false);
    jest.advanceTimersByTime(1);
    expect(fake.destroyed).toBe(true);
  });

  it('is done when the client closes', async () => {
    lingeringClose(socket, LIMIT);
    fake.push(null);
    await settled();
    expect(fake.destroyed).toBe(true);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is done when the connection fails', async () => {
    lingeringClose(socket, LIMIT);
    fake.emit('error', new Error('reset'));
    expect(fake.destroyed).toBe(true);
    // A second failure must not reach the process either.
    fake.emit('error', new Error('reset'));
    await settled();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('takes what still comes away from the parser, as far as the limit, and leaves the rest unread', async () => {
    const parser = jest.fn();
    fake.on('data', parser);
    lingeringClose(socket, LIMIT);
    fake.push(Buffer.alloc(LIMIT));
    await settled();
    expect(fake).toMatchObject({ readableLength: 0 });
    expect(fake.isPaused()).toBe(false);
    fake.push(Buffer.alloc(1));
    await settled();
    expect(fake.isPaused()).toBe(true);
    fake.push(Buffer.alloc(7));
    await settled();
    expect(fake.readableLength).toBe(7);
    expect(parser).not.toHaveBeenCalled();
  });

  it('reads on where reading was paused', async () => {
    fake.pause();
    lingeringClose(socket, LIMIT);
    fake.push(Buffer.alloc(LIMIT));
    await settled();
    expect(fake.readableLength).toBe(0);
  });

  it('does not let Node destroy the connection after its last answer', () => {
    lingeringClose(socket, LIMIT);
    socket.destroySoon();
    expect(fake.destroyed).toBe(false);
  });

  it('leaves a connection alone that is closing already, or gone', () => {
    lingeringClose(socket, LIMIT);
    lingeringClose(socket, LIMIT);
    expect(jest.getTimerCount()).toBe(1);
    const gone = new FakeSocket();
    gone.destroy();
    lingeringClose(gone as unknown as Socket, LIMIT);
    expect(jest.getTimerCount()).toBe(1);
    expect(isLingering(gone as unknown as Socket)).toBe(false);
  });
});
