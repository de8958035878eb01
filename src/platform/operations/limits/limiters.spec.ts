import { once } from 'node:events';
import { AddressInfo, createServer, Server, Socket } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { IRateLimiterOptions, RateLimiterMemory } from 'rate-limiter-flexible';
import { redisStore } from './limiter-stores';
import { Limiters } from './limiters';

/** A store that can fail in the ways a network does. */
class FragileLimiter extends RateLimiterMemory {
  static state: 'up' | 'refusing' | 'hanging' = 'up';

  override consume(key: string): ReturnType<RateLimiterMemory['consume']> {
    if (FragileLimiter.state === 'refusing') return Promise.reject(new Error('connection refused'));
    if (FragileLimiter.state === 'hanging') return new Promise(() => undefined);
    return super.consume(key);
  }
}

const fragile = { create: (options: IRateLimiterOptions) => new FragileLimiter(options) };

describe('a limiter in a shared store', () => {
  let logged: jest.SpyInstance;
  const limiter = new Limiters(fragile).create('x', { points: 2 });

  beforeEach(() => {
    jest.useFakeTimers();
    logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    FragileLimiter.state = 'up';
  });
  afterEach(() => {
    jest.useRealTimers();
    logged.mockRestore();
  });

  it('counts there, in memory while the store refuses, with the same limit, and then in the store again', async () => {
    await limiter.consume('a');
    expect((await limiter.consume('a')).consumedPoints).toBe(2);
    expect(logged).not.toHaveBeenCalled();
    FragileLimiter.state = 'refusing';
    await limiter.consume('a');
    await limiter.consume('a');
    await expect(limiter.consume('a')).rejects.toMatchObject({ consumedPoints: 3 });
    FragileLimiter.state = 'up';
    await expect(limiter.consume('a')).rejects.toMatchObject({ consumedPoints: 3 });
  });

  it('waits half a second for a store that hangs', async () => {
    FragileLimiter.state = 'hanging';
    const consumed = limiter.consume('c');
    await jest.advanceTimersByTimeAsync(500);
    expect((await consumed).consumedPoints).toBe(1);
  });

  it('logs an unavailable store once per minute', async () => {
    FragileLimiter.state = 'refusing';
    const log = new Limiters(fragile).create('x', { points: 100 });
    for (let second = 0; second < 60; second += 1) {
      await log.consume('d');
      jest.advanceTimersByTime(999);
    }
    expect(logged).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(1_000);
    await log.consume('d');
    expect(logged).toHaveBeenCalledTimes(2);
  });
});

describe('a limiter in a Redis server', () => {
  let server: Server;
  let sockets: Socket[];
  let limiters: Limiters;
  let errors: string[];
  let logged: jest.SpyInstance;

  /** Connects to a server that handles its connections like this. */
  async function connect(onConnection: (socket: Socket) => void, credentials = '', path = ''): Promise<void> {
    server = createServer((socket) => {
      sockets.push(socket.on('error', () => undefined));
      onConnection(socket);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    limiters = new Limiters(await redisStore(`valkey://${credentials}127.0.0.1:${port}${path}`));
  }

  beforeEach(() => {
    errors = [];
    sockets = [];
    logged = jest.spyOn(Logger.prototype, 'error').mockImplementation((line) => void errors.push(String(line)));
  });
  afterEach(() => {
    jest.useRealTimers();
    limiters.onApplicationShutdown();
    for (const socket of sockets) socket.destroy();
    server.close();
    logged.mockRestore();
  });

  /** Proves that nothing waits for a time-out: with these timers it would wait forever. */
  const stopTimers = () => jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'Date'] });

  it('that hangs from the start counts in memory, without waiting', async () => {
    await connect(() => undefined);
    const limiter = limiters.create('x', { points: 5 });
    stopTimers();
    const counts = [];
    for (let request = 0; request < 5; request += 1) counts.push((await limiter.consume('a')).consumedPoints);
    expect(counts).toEqual([1, 2, 3, 4, 5]);
    await expect(limiter.consume('a')).rejects.toMatchObject({ consumedPoints: 6 });
    expect(errors).toEqual(['The rate limit store is unavailable; each instance counts for itself']);
  });

  it('that hangs later delays requests only until its connection is closed', async () => {
    // What makes the client ready: the responses to HELLO and twice CLIENT SETINFO, and to INFO.
    const handshake = ['%1\r\n+proto\r\n:3\r\n+OK\r\n+OK\r\n', '$9\r\nloading:0\r\n'];
    let received = '';
    let hanging = false;
    await connect((socket) => {
      if (sockets.length > 1) return;
      socket.on('data', (chunk: Buffer) => {
        received += chunk.toString();
        socket.write(handshake.shift() ?? '');
      });
      socket.once('close', () => (hanging = true));
    });
    const limiter = limiters.create('x', { points: 1_000_000 });
    while (!hanging) {
      await limiter.consume('a');
      await setImmediate();
    }
    expect(received).toContain('roster:x:a');
    stopTimers();
    const { consumedPoints } = await limiter.consume('a');
    expect((await limiter.consume('a')).consumedPoints).toBe(consumedPoints + 1);
    expect(errors.at(-1)).toContain('Socket timeout');
  });

  it('that refuses the password is reported with that reason, which may come after the first request', async () => {
    // To HELLO, SELECT and twice CLIENT SETINFO.
    const replies = `-WRONGPASS wrong password\r\n${'-NOAUTH Authentication required.\r\n'.repeat(3)}`;
    await connect((socket) => void socket.on('data', () => socket.write(replies)), ':wrong@', '/1');
    const limiter = limiters.create('x', { points: 1_000_000 });
    await limiter.consume('a');
    while (sockets.length < 3) await setTimeout(5);
    await limiter.consume('a');
    const line = 'The rate limit store is unavailable; each instance counts for itself';
    expect(errors).toEqual([line, `${line}: WRONGPASS wrong password`]);
  });
});
