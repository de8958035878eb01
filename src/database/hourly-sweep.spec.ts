import { Logger } from '@nestjs/common';
import { HourlySweep } from './hourly-sweep';

class Sweep extends HourlySweep {
  readonly sweep = jest.fn<Promise<number>, []>();

  constructor() {
    super('things');
  }
}

const MINUTE = 60_000;
const log = jest.spyOn(Logger.prototype, 'log').mockReturnValue();
const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('sweeps a minute after the start and every hour, also after a sweep that failed, until the stop', async () => {
  const sweep = new Sweep();
  sweep.sweep.mockRejectedValueOnce(new Error('no database')).mockResolvedValueOnce(2).mockResolvedValue(0);
  sweep.onApplicationBootstrap();
  await jest.advanceTimersByTimeAsync(MINUTE - 1);
  expect(sweep.sweep).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(1);
  expect(warn.mock.calls).toEqual([['things could not be deleted: Error: no database']]);
  await jest.advanceTimersByTimeAsync(2 * 60 * MINUTE);
  expect(sweep.sweep).toHaveBeenCalledTimes(3);
  expect(log.mock.calls).toEqual([['Deleted 2 things']]);
  sweep.onModuleDestroy();
  await jest.advanceTimersByTimeAsync(60 * MINUTE);
  expect(sweep.sweep).toHaveBeenCalledTimes(3);
});
