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
    warned.mockRestore();
  });

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
    constrained.mockRestore();
  });

  describe('when the process has used most of the memory of its container', () => {
    const full = { ...unbounded, maxMemoryUsed: 0.9, maxMemoryHeld: 0.5 };
    let memory: NodeJS.MemoryUsage;

    beforeEach(() => {
      memory = { rss: 95, heapTotal: 20, external: 60, heapUsed: 20, arrayBuffers: 60 };
      jest.spyOn(process, 'memoryUsage').mockImplementation(() => memory);
      jest.spyOn(process, 'constrainedMemory').mockReturnValue(100);
      Object.assign(process.memoryUsage, { rss: () => memory.rss });
    });
    afterEach(() => jest.restoreAllMocks());

    const measured = (overload: Overload): boolean => {
      overload.measure(full);
      return overload.present;
    };

    it('ends when JavaScript no longer holds it, although the process keeps the memory', () => {
      const overload = new Overload(settingsWith());
      expect(measured(overload)).toBe(true);
      memory.external = 10;
      expect(measured(overload)).toBe(false);
    });

    it('makes V8 collect what filled it', async () => {
      jest.useRealTimers();
      const overload = new Overload(settingsWith());
      let isCollected = false;
      const registry = new FinalizationRegistry(() => (isCollected = true));
      // In a function, so nothing else refers to it.
      (() => registry.register(Buffer.alloc(2 ** 20), undefined))();
      while (!isCollected) {
        expect(measured(overload)).toBe(true);
        await setImmediate();
      }
    });
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
