import { setImmediate } from 'node:timers/promises';
import { Deadline } from './deadline';
import { Waited } from './lost-race';
import { Turn, Turns } from './turns';

const LIMIT = 10_000;

/** Takes turns; `order` has the names of the writes in the order of their turns. */
function queueing(turns: Turns, record = 'a') {
  const order: string[] = [];
  const ends = new Map<string, () => void>();
  const take = (name: string): Promise<unknown> =>
    turns.take(record, name[0]!, LIMIT).then(
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
  it('of one record come one after another, those of another record immediately', async () => {
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

describe('the turn of a write', () => {
  const turns = new Turns();
  const newTurn = (deadline = new Deadline(LIMIT)): Turn => new Turn(turns, '', deadline);

  it('ends when it takes another one: a write has one turn at a time', async () => {
    const turn = newTurn();
    for (const record of ['a', 'a', 'b']) {
      await turn.take(record);
      await setImmediate();
      expect(['a', 'b'].filter((one) => turns.isTaken(one))).toEqual([record]);
    }
    turn.end();
  });

  it('is waited for before the transaction begins; the handler runs again then, without a loss', async () => {
    const [first, second] = [newTurn(), newTurn()];
    await first.takeFirst('a', false);
    const waiting = second.takeFirst('a', false).catch((error: unknown) => error);
    await expect(Promise.race([waiting, setImmediate('waits')])).resolves.toBe('waits');
    first.end();
    await expect(waiting).resolves.toBeInstanceOf(Waited);
    await second.takeFirst('a', false);
    second.end();
  });

  it('is lost to others once the transaction has begun, or the write has another turn', async () => {
    const [one, other] = [newTurn(), newTurn()];
    await one.takeFirst('b', true);
    await other.take('b');
    await expect(one.takeFirst('b', true)).rejects.toMatchObject({ record: 'b' });
    await one.take('c');
    await expect(one.takeFirst('b', false)).rejects.toMatchObject({ record: 'b' });
    for (const turn of [one, other]) turn.end();
  });

  it('ends after half a second while the write has lost no race: others do not wait for a slow one', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    const [slow, next] = [newTurn(), newTurn()];
    await slow.takeFirst('a', false);
    const waiting = next.take('a').then(() => 'has the turn');
    jest.advanceTimersByTime(499);
    await expect(Promise.race([waiting, setImmediate('waits')])).resolves.toBe('waits');
    jest.advanceTimersByTime(1);
    await expect(waiting).resolves.toBe('has the turn');
    next.end();
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  it('does not come after the deadline, and goes to the next one', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    const deadline = new Deadline(LIMIT);
    const [holder, late, next] = [newTurn(), newTurn(deadline), newTurn()];
    await holder.take('d');
    jest.advanceTimersByTime(60_000);
    deadline.start();
    const refused = late.take('d').catch((error: Error) => error.name);
    jest.advanceTimersByTime(LIMIT - 1);
    expect(deadline.isOver).toBe(false);
    jest.advanceTimersByTime(1);
    expect([await refused, deadline.isOver]).toEqual(['MongoOperationTimeoutError', true]);
    const taken = next.take('d');
    holder.end();
    await taken;
    next.end();
    jest.useRealTimers();
  });
});
