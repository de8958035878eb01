import { setImmediate } from 'node:timers/promises';
import { WorkQueue, WorkQueueBounds } from './work-queue';

describe('WorkQueue', () => {
  let started: string[];
  let ends: Map<string, () => void>;
  beforeEach(() => {
    started = [];
    ends = new Map();
  });
  afterEach(() => jest.useRealTimers());

  /** Puts work into a queue that goes on until `end` is called with its name; its key is the name's first letter. */
  const add = (queue: WorkQueue, name: string, isPreferred?: boolean): Promise<string> =>
    queue.run(
      name[0]!,
      () => {
        started.push(name);
        return new Promise((resolve) => ends.set(name, () => resolve(name)));
      },
      isPreferred,
    );
  async function end(name: string): Promise<void> {
    ends.get(name)!();
    await setImmediate();
  }
  const queueOf = (bounds: Partial<WorkQueueBounds>) => new WorkQueue({ running: 1, waiting: 10, ...bounds });
  const REJECTED = { status: 503, code: 1903, headers: { 'retry-after': '2' } };

  it('runs as many in parallel as its bound, and then the first of the key with the fewest that run', async () => {
    const queue = queueOf({ running: 2 });
    const all = ['a1', 'b1', 'a2', 'b2'].map((name) => add(queue, name));
    expect(started).toEqual(['a1', 'b1']);
    await end('b1');
    expect(started).toEqual(['a1', 'b1', 'b2']);
    await end('a1');
    expect(started).toEqual(['a1', 'b1', 'b2', 'a2']);
    await end('a2');
    await end('b2');
    expect(await Promise.all(all)).toEqual(['a1', 'b1', 'a2', 'b2']);
  });

  it('makes room again when work fails', async () => {
    const queue = queueOf({});
    await expect(queue.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    void add(queue, 'a1');
    expect(started).toEqual(['a1']);
  });

  it('keeps the place of finished work for as long as the work asked', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const queue = queueOf({});
    await queue.run('a', (keepPlace) => Promise.resolve(keepPlace(1000)));
    void add(queue, 'b1');
    await jest.advanceTimersByTimeAsync(999);
    expect(started).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(started).toEqual(['b1']);
  });

  it('lets others pass a key that has used up its share', async () => {
    const queue = queueOf({ running: 3, runningPerKey: 2 });
    for (const name of ['a1', 'a2', 'a3', 'b1']) void add(queue, name);
    expect(started).toEqual(['a1', 'a2', 'b1']);
    await end('b1');
    expect(started).toEqual(['a1', 'a2', 'b1']);
    await end('a2');
    expect(started).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('goes round the keys, whichever came first', async () => {
    const queue = queueOf({});
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) void add(queue, name);
    const order = ['a1', 'a2', 'b1', 'a3', 'b2', 'c1', 'c2'];
    for (const name of order.slice(0, 2)) await end(name);
    for (const name of ['c1', 'c2']) void add(queue, name);
    for (const name of order.slice(2)) await end(name);
    expect(started).toEqual(order);
  });

  it('alternates between preferred work and other', async () => {
    const queue = queueOf({});
    for (const name of ['a1', 'a2', 'a3', 'b1']) void add(queue, name);
    for (const name of ['p1', 'p2', 'q1', 'q2']) void add(queue, name, true);
    const order = ['a1', 'p1', 'a2', 'q1', 'b1', 'p2', 'a3', 'q2'];
    for (const name of order) await end(name);
    expect(started).toEqual(order);
  });

  it('rejects with 1903 what finds the queue full, by all keys or by its own, which has more places if preferred', async () => {
    const queue = queueOf({ waiting: 4, waitingPerKey: 1, waitingPerPreferredKey: 2 });
    for (const name of ['a1', 'a2']) void add(queue, name);
    await expect(add(queue, 'a3')).rejects.toMatchObject(REJECTED);
    for (const name of ['p1', 'p2']) void add(queue, name, true);
    await expect(add(queue, 'p3', true)).rejects.toMatchObject(REJECTED);
    void add(queue, 'b1');
    await expect(add(queue, 'c1')).rejects.toMatchObject(REJECTED);
    expect(started).toEqual(['a1']);
  });

  it('gives work of a key with few places the last place of the key with the most, when there is no room', async () => {
    const queue = queueOf({ waiting: 3 });
    const all = ['a1', 'a2', 'a3', 'a4'].map((name) => add(queue, name));
    await expect(add(queue, 'a5')).rejects.toMatchObject(REJECTED);
    void add(queue, 'b1');
    await expect(all[3]).rejects.toMatchObject(REJECTED);
    for (const name of ['a1', 'a2', 'b1', 'a3']) await end(name);
    expect(started).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('gives preferred work the place of the last that is not, when there is no room', async () => {
    const queue = queueOf({ waiting: 2 });
    const all = ['a1', 'a2', 'b1'].map((name) => add(queue, name));
    for (const [name, other] of [
      ['p1', 2],
      ['q1', 1],
    ] as const) {
      void add(queue, name, true);
      await expect(all[other]).rejects.toMatchObject(REJECTED);
    }
    await expect(add(queue, 'r1', true)).rejects.toMatchObject(REJECTED);
    for (const name of ['a1', 'p1', 'q1']) await end(name);
    expect(started).toEqual(['a1', 'p1', 'q1']);
  });

  it('rejects with 1903 what has waited too long, and never runs it', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const queue = queueOf({ maxWaitMs: 2000 });
    void add(queue, 'a1');
    const late = expect(add(queue, 'a2')).rejects.toMatchObject(REJECTED);
    await jest.advanceTimersByTimeAsync(1999);
    void add(queue, 'a3');
    await jest.advanceTimersByTimeAsync(1);
    await late;
    await end('a1');
    await jest.advanceTimersByTimeAsync(2000);
    expect(started).toEqual(['a1', 'a3']);
  });
});
