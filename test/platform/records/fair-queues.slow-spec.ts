import { setImmediate } from 'node:timers/promises';
import { WorkQueue } from '../../../src/platform/base/work-queue';
import { Database } from '../../../src/platform/records/database';
import { SharedReads } from '../../../src/platform/records/reads/shared-reads';
import { context } from '../../../src/platform/records/transactions/context';
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
  const reads: { account: unknown; end: () => void }[] = [];
  const run = jest.spyOn(SharedReads.prototype, 'run');
  run.mockImplementation((key, read) =>
    key.includes('exactCount')
      ? new Promise<void>((end) => reads.push({ account: String(context().account?.()?._id), end })).then(read)
      : read(),
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
    const ofThird = (): number => reads.findIndex(({ account }) => account === third.id);
    // At most one read of each of the others begins before.
    for (let ended = 0; ofThird() === -1; ended += 1) {
      expect(ended).toBeLessThan(3);
      const before = reads.length;
      reads.shift()!.end();
      await until(() => reads.length === before);
    }
    reads.splice(ofThird(), 1)[0]!.end();
    statuses.push(await status);
  }
  expect(statuses).toEqual(Array(10).fill(200));
  let isOver = false;
  const ended = Promise.all(flood).finally(() => (isOver = true));
  while (!isOver) {
    reads.shift()?.end();
    await setImmediate();
  }
  const { plainReads } = await service.app.get(Database).quirks();
  const served = (plainReads?.runningPerKey ?? 4) + 25;
  expect((await ended).filter((status) => status === 503)).toHaveLength(2 * (60 - served));
});
