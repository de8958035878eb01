import { Logger } from '@nestjs/common';
import { mongo } from 'mongoose';
import { HourlySweeps } from './hourly-sweeps';

const MINUTE = 60_000;
const log = jest.spyOn(Logger.prototype, 'log').mockReturnValue();
const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('sweeps a minute after the start and after a sweep that failed, otherwise every hour, until the stop', async () => {
  const sweeps = new HourlySweeps();
  const sweep = jest.fn<Promise<number>, []>();
  sweep.mockRejectedValueOnce(new mongo.MongoNetworkError('internal')).mockRejectedValueOnce(new Error('no right'));
  sweep.mockResolvedValueOnce(2).mockResolvedValue(0);
  sweeps.add('things', sweep);
  sweeps.onApplicationBootstrap();
  await jest.advanceTimersByTimeAsync(MINUTE - 1);
  expect(sweep).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(1);
  expect(sweep).toHaveBeenCalledTimes(1);
  expect(warn).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(MINUTE);
  expect(warn.mock.calls).toEqual([['things could not be deleted: no right']]);
  await jest.advanceTimersByTimeAsync(61 * MINUTE);
  expect(sweep).toHaveBeenCalledTimes(4);
  expect(log.mock.calls).toEqual([['Deleted 2 things']]);
  sweeps.onModuleDestroy();
  await jest.advanceTimersByTimeAsync(60 * MINUTE);
  expect(sweep).toHaveBeenCalledTimes(4);
});
