import type { CallHandler, ExecutionContext } from '@nestjs/common';
import { Types } from 'mongoose';
import { defer, firstValueFrom } from 'rxjs';
import { SearchQueue, SearchQueueInterceptor } from './queues';

let queue: SearchQueueInterceptor;
let running: number;
let ends: (() => void)[];
beforeEach(() => {
  // What still waits at the end of a test must not time out in another one.
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  queue = new SearchQueueInterceptor(new SearchQueue());
  running = 0;
  ends = [];
});
afterEach(() => jest.useRealTimers());
const [ada, bob, eve] = [new Types.ObjectId(), new Types.ObjectId(), new Types.ObjectId()];

/** A list request of an account, which runs until the test ends it. */
function list(_id: Types.ObjectId, query: object = { q: 'nets' }): Promise<unknown> {
  const request = { query, access: { account: { _id } } };
  const context = { switchToHttp: () => ({ getRequest: () => request }) } as unknown as ExecutionContext;
  const handle = (): Promise<unknown> => {
    running += 1;
    return new Promise((resolve) => ends.push(() => resolve('found')));
  };
  return firstValueFrom(queue.intercept(context, { handle: () => defer(handle) } as CallHandler));
}

describe('searches', () => {
  it('run eight at once, four of one account, and the others wait', async () => {
    for (let number = 0; number < 10; number += 1) void list(ada);
    expect(running).toBe(4);
    for (const account of [bob, eve]) for (let number = 0; number < 3; number += 1) void list(account);
    expect(running).toBe(8);
    const last = list(eve);
    for (let ended = 0; ended < 17; ended += 1) {
      ends[ended]?.();
      await new Promise(setImmediate);
    }
    expect(running).toBe(17);
    expect(await last).toBe('found');
  });

  it.each([
    ...[{ exactCount: true }, { updatedSince: '2026-11-25' }, { tag: 'nets' }, { lifecycleStatus: 'design' }],
    { isSuspended: false },
  ])('and lists with %j run in the same queue, and do not hold up others', (query) => {
    for (let number = 0; number < 5; number += 1) void list(ada);
    for (let number = 0; number < 5; number += 1) void list(ada, query);
    void list(ada, { skip: 0, exactCount: false });
    expect(running).toBe(5);
  });

  it('beyond a hundred that wait, or after two seconds, get 1903', async () => {
    const all = Array.from({ length: 105 }, () => list(ada).catch(({ code }: { code: number }) => code));
    expect(await all[104]).toBe(1903);
    await jest.advanceTimersByTimeAsync(2000);
    expect(new Set(await Promise.all(all.slice(4)))).toEqual(new Set([1903]));
    expect(running).toBe(4);
  });
});
