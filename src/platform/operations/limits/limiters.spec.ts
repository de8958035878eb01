import { once } from 'node:events';
import { AddressInfo, createServer, Socket } from 'node:net';
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

describe('a limiter in a shared store', () => {
  const fragile = { create: (options: IRateLimiterOptions) => new FragileLimiter(options) };
  const limiter = new Limiters(fragile).create('x', { points: 2 });
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('counts in memory while the store refuses, with the same limit, and then in the store again', async () => {
    for (const state of ['up', 'refusing'] as const) {
      FragileLimiter.state = state;
      for (const count of [1, 2]) expect((await limiter.consume('a')).consumedPoints).toBe(count);
      await expect(limiter.consume('a')).rejects.toMatchObject({ consumedPoints: 3 });
    }
    FragileLimiter.state = 'up';
    await expect(limiter.consume('a')).rejects.toMatchObject({ consumedPoints: 4 });
  });

  it('waits half a second for a store that hangs', async () => {
    FragileLimiter.state = 'hanging';
    const consumed = limiter.consume('c');
    await jest.advanceTimersByTimeAsync(500);
    expect((await consumed).consumedPoints).toBe(1);
  });
});

it('a Redis server that refuses the password is logged once, with that reason', async () => {
  const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
  // To HELLO and twice CLIENT SETINFO.
  const replies = `-WRONGPASS wrong password\r\n${'-NOAUTH Authentication required.\r\n'.repeat(2)}`;
  const sockets: Socket[] = [];
  const third = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    socket.on('error', () => undefined).on('data', () => socket.write(replies));
    if (sockets.push(socket) === 3) third.resolve();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const limiters = new Limiters(await redisStore(`valkey://:wrong@127.0.0.1:${port}`));
  await third.promise;
  const line = 'The rate limit store is unavailable; each instance counts for itself: WRONGPASS wrong password';
  expect(logged.mock.calls).toEqual([[line]]);
  limiters.onApplicationShutdown();
  for (const socket of sockets) socket.destroy();
  server.close();
});
