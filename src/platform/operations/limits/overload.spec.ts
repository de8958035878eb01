import { settingsWith } from '../../../../test/support/settings';
import { Overload } from './overload';

describe('Overload', () => {
  const unbounded = { maxEventLoopDelay: Infinity, maxHeapUsed: 1, maxMemoryUsed: 1, maxMemoryGrowth: 0 };

  beforeEach(() => jest.useFakeTimers());
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('is present while the event loop is slow; without samples, as at a busy start, it does not change', () => {
    const overload = new Overload(settingsWith());
    const delays = { count: 0, mean: NaN, reset: () => undefined };
    Object.assign(overload, { delays });
    const isPresentWith = (count: number, ms: number): boolean => {
      Object.assign(delays, { count, mean: ms * 1e6 });
      overload.measure({ ...unbounded, maxEventLoopDelay: 1000 });
      return overload.present;
    };
    expect([isPresentWith(0, NaN), isPresentWith(1, 2000), isPresentWith(0, NaN)]).toEqual([false, true, true]);
    expect([isPresentWith(50, 12), isPresentWith(0, NaN)]).toEqual([false, false]);
  });

  it('is present while the memory of a container that is nearly full grows: the process keeps what was freed', () => {
    const overload = new Overload(settingsWith());
    const rss = jest.spyOn(process.memoryUsage, 'rss');
    const constrained = jest.spyOn(process, 'constrainedMemory').mockReturnValue(100);
    const isPresentWith = (memory: number): boolean => {
      rss.mockReturnValue(memory);
      overload.measure({ ...unbounded, maxMemoryUsed: 0.85, maxMemoryGrowth: 0.02 });
      return overload.present;
    };
    const expected = { 80: false, 86: true, 90: true, 91: false, 92: false, 95: true };
    expect(Object.keys(expected).map((memory) => isPresentWith(Number(memory)))).toEqual(Object.values(expected));
    expect([95, 80].map(isPresentWith)).toEqual([false, false]);
    constrained.mockReturnValue(0);
    expect(isPresentWith(100)).toBe(false);
  });

  it('collects garbage before it is present, and is not when that frees enough; at most once in five seconds', () => {
    const overload = new Overload(settingsWith());
    jest.spyOn(process, 'constrainedMemory').mockReturnValue(100);
    let memory = 0;
    jest.spyOn(process.memoryUsage, 'rss').mockImplementation(() => memory);
    const collect = jest.fn(() => (memory = 70));
    const { gc } = globalThis;
    Object.assign(globalThis, { gc: collect });
    const isPresentWith = (next: number): boolean => {
      memory = next;
      overload.measure({ ...unbounded, maxMemoryUsed: 0.85, maxMemoryGrowth: 0.02 });
      jest.advanceTimersByTime(1000);
      return overload.present;
    };
    expect([80, 90, 90, 95].map(isPresentWith)).toEqual([false, false, true, true]);
    expect(collect).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(5000);
    expect(isPresentWith(99)).toBe(false);
    Object.assign(globalThis, { gc });
  });

  it('is measured every second, except in tests', () => {
    for (const [NODE_ENV, timers] of Object.entries({ development: 1, test: 0 })) {
      const overload = new Overload(settingsWith({ NODE_ENV }));
      const measure = jest.spyOn(overload, 'measure');
      overload.onApplicationBootstrap();
      jest.advanceTimersByTime(1000);
      expect(measure).toHaveBeenCalledTimes(timers);
      overload.onApplicationShutdown();
      expect(jest.getTimerCount()).toBe(0);
    }
  });
});
