import { setImmediate } from 'node:timers/promises';
import { Turns } from './turns';

/** Takes turns; `order` has the names of the writes in the order of their turns. */
function queueing(turns: Turns, record = 'a') {
  const order: string[] = [];
  const ends = new Map<string, () => void>();
  const take = (name: string): Promise<unknown> =>
    turns.take(record, name[0]!).then(
      (end) => [order.push(name), ends.set(name, end)],
      (error: { code: number }) => order.push(`${name}: ${error.code}`),
    );
  const end = async (name: string): Promise<void> => {
    ends.get(name)!();
    await setImmediate();
  };
  return { order, take, end };
}

describe('the turns of writes', () => {
  it('of one record come one after another, those of another record at once', async () => {
    const turns = new Turns();
    const [one, other] = [queueing(turns), queueing(turns, 'b')];
    void one.take('a1');
    void one.take('a2');
    await other.take('a3');
    expect([one.order, other.order]).toEqual([['a1'], ['a3']]);
    await one.end('a1');
    expect(one.order).toEqual(['a1', 'a2']);
    expect([turns.isTaken('a'), turns.isTaken('b'), turns.isTaken('c')]).toEqual([true, true, false]);
    await one.end('a2');
    expect(turns.isTaken('a')).toBe(false);
  });

  it('are refused when too many writes wait: the last one of the account with the most', async () => {
    const { order, take } = queueing(new Turns());
    for (let number = 0; number <= 100; number += 1) void take(`x${number}`);
    for (const name of ['x101', 'y1']) await Promise.race([take(name), setImmediate()]);
    expect(order).toEqual(['x0', 'x101: 1510', 'x100: 1510']);
  });

  it('are refused to a write that has waited for ten seconds', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    const { order, take } = queueing(new Turns());
    void take('x1');
    const waiting = take('y1');
    jest.advanceTimersByTime(9999);
    await setImmediate();
    expect(order).toEqual(['x1']);
    jest.advanceTimersByTime(1);
    await waiting;
    expect(order).toEqual(['x1', 'y1: 1510']);
    jest.useRealTimers();
  });
});
