import { MemoryCounter } from './memory-counter';

describe('MemoryCounter', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('counts each key for itself and tells how long its minute lasts', async () => {
    const counter = new MemoryCounter();
    await counter.add('a');
    jest.advanceTimersByTime(20_000);
    expect(await counter.add('a')).toEqual({ count: 2, msLeft: 40_000 });
    expect(await counter.add('b')).toEqual({ count: 1, msLeft: 60_000 });
    expect(await counter.used('a')).toEqual({ count: 2, msLeft: 40_000 });
    expect(await counter.used('c')).toEqual({ count: 0, msLeft: 0 });
  });

  it('begins anew after a minute, and when told to forget', async () => {
    const counter = new MemoryCounter();
    await counter.add('a');
    await counter.add('b');
    await counter.forget('b');
    expect((await counter.used('b')).count).toBe(0);
    jest.advanceTimersByTime(60_001);
    expect((await counter.add('a')).count).toBe(1);
  });

  it('keeps no more than its buckets however many keys come', async () => {
    const counter = new MemoryCounter();
    for (let index = 0; index < 150_000; index += 1) await counter.add(`2001:db8:${index}::/64`);
    expect(jest.getTimerCount()).toBeLessThanOrEqual(1 << 16);
    expect(jest.getTimerCount()).toBeGreaterThan(50_000);
  });
});
