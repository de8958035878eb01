import { setImmediate } from 'node:timers/promises';
import { WorkQueue } from '../../../src/platform/base/work-queue';
import { SharedReads } from '../../../src/platform/records/reads/shared-reads';
import type { Client } from '../../support/client';
import { useService } from '../../support/service';

const service = useService();
// Nothing waits for too long, however busy the machine is.
beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'setInterval', 'nextTick', 'queueMicrotask'] }));
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

const statusOf = async (client: Client): Promise<number> =>
  (await client.get('/organizations?limit=1', { prefer: 'count=exact' })).status;

it('An account that requests one expensive list at a time is never refused while two others send 60 each', async () => {
  const [first, second, third] = (await service.accountsOf(3)) as [Client, Client, Client];
  const queued = jest.spyOn(WorkQueue.prototype, 'run');
  const reads: (() => void)[] = [];
  const run = jest.spyOn(SharedReads.prototype, 'run');
  run.mockImplementation((key, read) =>
    key.includes('exactCount') ? new Promise<void>((resolve) => reads.push(resolve)).then(read) : read(),
  );
  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) await setImmediate();
  };
  const flood = [first, second].flatMap((client) => Array.from({ length: 60 }, () => statusOf(client)));
  await until(() => queued.mock.calls.length === 120);
  const statuses: number[] = [];
  for (let number = 0; number < 10; number += 1) {
    const status = statusOf(third);
    await until(() => queued.mock.calls.length === 121 + number);
    const before = reads.length;
    // One of the others ends, and the next one begins.
    reads.shift()!();
    await until(() => reads.length === before);
    reads.pop()!();
    statuses.push(await status);
  }
  expect(statuses).toEqual(Array(10).fill(200));
  let isOver = false;
  const ended = Promise.all(flood).finally(() => (isOver = true));
  while (!isOver) {
    reads.shift()?.();
    await setImmediate();
  }
  // Of each, 4 ran and 25 waited.
  expect((await ended).filter((status) => status === 503)).toHaveLength(2 * (60 - 29));
});
