import { Logger } from '@nestjs/common';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { LimiterStore, SharedCounter, StoreFailures } from './shared-counter';

/** A store that can be broken in the ways a network breaks one. */
class FragileStore implements LimiterStore {
  readonly name = 'fragile';
  state: 'up' | 'refusing' | 'hanging' = 'up';
  private readonly limiter = new RateLimiterMemory({ points: 1, duration: 60 });

  async open(): Promise<RateLimiterMemory> {
    if (this.state === 'refusing') throw new Error('connection refused');
    if (this.state === 'hanging') await new Promise(() => undefined);
    return this.limiter;
  }

  async close(): Promise<void> {}
}

describe('SharedCounter', () => {
  let store: FragileStore;
  let counter: SharedCounter;
  let logged: jest.SpyInstance;

  beforeEach(() => {
    jest.useFakeTimers();
    logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    store = new FragileStore();
    counter = new SharedCounter(store, 'x', new StoreFailures(store.name));
  });

  afterEach(() => {
    jest.useRealTimers();
    logged.mockRestore();
  });

  it('counts in the store, so that instances share a count', async () => {
    const other = new SharedCounter(store, 'x', new StoreFailures(store.name));
    await counter.add('a');
    expect((await other.add('a')).count).toBe(2);
    await counter.forget('a');
    expect((await other.used('a')).count).toBe(0);
  });

  it('counts in memory while the store refuses, and in the store again when it is back', async () => {
    store.state = 'refusing';
    await counter.add('a');
    expect((await counter.add('a')).count).toBe(2);
    store.state = 'up';
    expect((await counter.add('a')).count).toBe(3);
    jest.advanceTimersByTime(5_001);
    expect((await counter.add('a')).count).toBe(1);
  });

  it('waits half a second for a store that hangs, and then not again for a while', async () => {
    store.state = 'hanging';
    const first = counter.add('a');
    await jest.advanceTimersByTimeAsync(501);
    expect((await first).count).toBe(1);
    expect((await counter.add('a')).count).toBe(2);
  });

  it('writes one line a minute however often the store fails', async () => {
    store.state = 'refusing';
    for (let second = 0; second < 60; second += 1) {
      await counter.add('a');
      jest.advanceTimersByTime(999);
    }
    expect(logged).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(5_000);
    await counter.add('a');
    expect(logged).toHaveBeenCalledTimes(2);
  });
});
