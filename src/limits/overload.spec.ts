import { setImmediate } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { settingsWith } from '../../test/support/settings';
import { Overload } from './overload';

describe('Overload', () => {
  const unbounded = { maxEventLoopDelay: Infinity, maxHeapUsed: 1, maxMemoryUsed: 1, maxMemoryHeld: 0 };
  let warned: jest.SpyInstance;

  beforeEach(() => {
    jest.useFakeTimers();
    warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  /** Lets the process have used most of the memory of its container. */
  const fillContainer = (change: Partial<NodeJS.MemoryUsage> = {}): void => {
    const memory = { rss: 95, heapTotal: 20, external: 60, heapUsed: 20, arrayBuffers: 60, ...change };
    jest.spyOn(process, 'memoryUsage').mockReturnValue(memory);
    jest.spyOn(process, 'constrainedMemory').mockReturnValue(100);
    Object.assign(process.memoryUsage, { rss: () => memory.rss });
  };
  const isPresent = (overload: Overload): boolean => {
    overload.measure({ ...unbounded, maxMemoryUsed: 0.9, maxMemoryHeld: 0.5 });
    return overload.present;
  };

  it('is present when the event loop was blocked all the time', () => {
    const overload = new Overload(settingsWith());
    overload.measure({ ...unbounded, maxEventLoopDelay: 1000 });
    expect(overload.present).toBe(true);
  });

  it('is present when the process has used most of the memory of its container', () => {
    const overload = new Overload(settingsWith());
    const rss = process.memoryUsage.rss();
    const constrained = jest.spyOn(process, 'constrainedMemory');
    const isPresentWith = (memory: number): boolean => {
      constrained.mockReturnValue(memory);
      overload.measure({ ...unbounded, maxMemoryUsed: 0.9 });
      return overload.present;
    };
    expect([rss / 2, rss * 10, 0].map(isPresentWith)).toEqual([true, false, false]);
  });

  it('ends when JavaScript no longer holds the memory of the container, although the process keeps it', () => {
    const overload = new Overload(settingsWith());
    fillContainer();
    expect(isPresent(overload)).toBe(true);
    fillContainer({ external: 10 });
    expect(isPresent(overload)).toBe(false);
  });

  it('makes V8 collect what filled the container', async () => {
    jest.useRealTimers();
    fillContainer();
    const overload = new Overload(settingsWith());
    let isCollected = false;
    const registry = new FinalizationRegistry(() => (isCollected = true));
    // In a function, so nothing else refers to it.
    (() => registry.register(Buffer.alloc(2 ** 20), undefined))();
    while (!isCollected) {
      expect(isPresent(overload)).toBe(true);
      await setImmediate();
    }
  });

  it('is logged once per minute', () => {
    const overload = new Overload(settingsWith());
    for (let second = 0; second < 60; second += 1) {
      overload.measure({ ...unbounded, maxHeapUsed: 0 });
      jest.advanceTimersByTime(1000);
    }
    expect(warned).toHaveBeenCalledTimes(1);
    overload.measure({ ...unbounded, maxHeapUsed: 0 });
    expect(warned).toHaveBeenCalledTimes(2);
  });

  it('is measured every second, except in tests', () => {
    for (const [NODE_ENV, timers] of Object.entries({ development: 1, test: 0 })) {
      const overload = new Overload(settingsWith({ NODE_ENV }));
      const measure = jest.spyOn(overload, 'measure');
      overload.onModuleInit();
      jest.advanceTimersByTime(1000);
      expect(measure).toHaveBeenCalledTimes(timers);
      overload.onApplicationShutdown();
      expect(jest.getTimerCount()).toBe(0);
    }
  });
});
