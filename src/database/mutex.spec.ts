import { Mutex } from './mutex';

describe('a mutex', () => {
  it('is acquired in the order of asking, each time after its release', async () => {
    const mutex = new Mutex();
    const order: string[] = [];
    const hold = async (name: string): Promise<void> => {
      const release = await mutex.acquire();
      order.push(`${name} starts`);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`${name} ends`);
      release();
    };
    await Promise.all(['first', 'second', 'third'].map(hold));
    expect(order).toEqual(['first', 'second', 'third'].flatMap((name) => [`${name} starts`, `${name} ends`]));
  });

  it('is idle once all who wait for it now have released it', async () => {
    const mutex = new Mutex();
    await expect(mutex.idle).resolves.toBeUndefined();
    const release = await mutex.acquire();
    const next = mutex.acquire();
    let isIdle = false;
    const idle = mutex.idle.then(() => (isIdle = true));
    release();
    const releaseNext = await next;
    await new Promise((resolve) => setImmediate(resolve));
    expect(isIdle).toBe(false);
    releaseNext();
    await idle;
  });
});
