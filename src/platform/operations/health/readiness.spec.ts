import { Logger } from '@nestjs/common';
import type { Connection } from 'mongoose';
import type { DatabaseStart } from '../../records/start/database-start';
import { Readiness } from './readiness';

for (const level of ['log', 'warn'] as const) jest.spyOn(Logger.prototype, level).mockImplementation();

let write: jest.Mock<Promise<void>>;
let readiness: Readiness;
beforeEach(() => {
  jest.useFakeTimers();
  write = jest.fn(() => Promise.resolve());
  const connection = { collection: () => ({ updateOne: write }) } as unknown as Connection;
  readiness = new Readiness({ unmetCondition: undefined } as DatabaseStart, connection);
});
afterEach(() => jest.useRealTimers());

const failing = (): Promise<void> => Promise.reject(new Error('No space left on device'));

/** Lets one write fail and its result expire: the next one counts. */
async function failOnce(): Promise<void> {
  write.mockImplementation(failing);
  expect(await readiness.failedChecks()).toEqual([]);
  jest.advanceTimersByTime(1000);
}

describe('an instance is not ready', () => {
  it('when two writes in a row have failed', async () => {
    await failOnce();
    write.mockResolvedValue();
    expect(await readiness.failedChecks()).toEqual([]);
    jest.advanceTimersByTime(1000);
    await failOnce();
    expect(await readiness.failedChecks()).toEqual(['database']);
  });

  it('as long as the last write failed, and it writes once per second for all who ask', async () => {
    await failOnce();
    write.mockClear();
    const both = await Promise.all([readiness.failedChecks(), readiness.failedChecks()]);
    expect(both).toEqual([['database'], ['database']]);
    jest.advanceTimersByTime(999);
    expect(await readiness.failedChecks()).toEqual(['database']);
    expect(write).toHaveBeenCalledTimes(1);
    write.mockResolvedValue();
    jest.advanceTimersByTime(1);
    expect(await readiness.failedChecks()).toEqual([]);
  });

  it('when the database does not respond within a second', async () => {
    await failOnce();
    write.mockReturnValue(new Promise(() => undefined));
    const failed = readiness.failedChecks();
    jest.advanceTimersByTime(1000);
    expect(await failed).toEqual(['database']);
  });
});
