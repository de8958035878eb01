import { setImmediate } from 'node:timers/promises';
import { mongo } from 'mongoose';
import { timeLimits } from '../driver/connection-options';
import { LostRace } from './lost-race';
import { Turns } from './turns';
import { WriteRun } from './write-run';

/** Counts lost races until there may be no further attempt. */
function lossesOf(write: WriteRun): number {
  for (let loss = 1; loss < 1000; loss += 1) {
    try {
      write.countLoss(new LostRace());
    } catch (error) {
      expect(error).toMatchObject({ code: 1510 });
      return loss;
    }
  }
  throw new Error('It never gave up.');
}

describe('a write that loses races', () => {
  it('gives up with 1510 after five attempts, and says what the last one met', () => {
    expect(lossesOf(new WriteRun())).toBe(5);
    const write = new WriteRun();
    const cause = new Error('duplicate');
    for (let loss = 1; loss < 5; loss += 1) write.countLoss(new LostRace());
    expect(() => write.countLoss(new LostRace(cause))).toThrow(expect.objectContaining({ cause }) as Error);
  });

  it('tries for at least a second to write the record that it is about, and more often', () => {
    jest.useFakeTimers();
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    const write = new WriteRun();
    const waits = Array.from({ length: 20 }, () => write.countLoss(new LostRace(), true));
    expect(waits.slice(0, 6)).toEqual([0, 8, 8, 8, 8, 8]);
    jest.advanceTimersByTime(999);
    write.countLoss(new LostRace(), true);
    jest.advanceTimersByTime(1);
    expect(() => write.countLoss(new LostRace(), true)).toThrow(expect.objectContaining({ code: 1510 }) as Error);
    const other = new WriteRun();
    for (let loss = 1; loss < 5; loss += 1) other.countLoss(new LostRace(), true);
    expect(() => other.countLoss(new LostRace())).toThrow(expect.objectContaining({ code: 1510 }) as Error);
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  it('is repeated from the first loss on, so it looks up unique values', () => {
    const write = new WriteRun();
    expect(write.isRepeated).toBe(false);
    write.countLoss(new LostRace());
    expect(write.isRepeated).toBe(true);
  });

  it('waits before the next attempt, but not after the first loss', () => {
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    const write = new WriteRun();
    const waits = Array.from({ length: 4 }, () => write.countLoss(new LostRace()));
    expect(waits).toEqual([0, 8, 16, 32]);
    jest.restoreAllMocks();
  });

  it('is unavailable when it lost because the database was out of reach', () => {
    const write = new WriteRun();
    const lost = new LostRace(new mongo.MongoNetworkError('connection 3 closed'));
    for (let loss = 1; loss < 5; loss += 1) write.countLoss(lost);
    const message = 'A transaction did not end in time: connection 3 closed';
    expect(() => write.countLoss(lost)).toThrow(expect.objectContaining({ message, cause: lost.cause }) as Error);
  });
});

describe('the deadline', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is ten seconds after the first command, for all attempts together', async () => {
    const write = new WriteRun();
    const never = new Promise<void>(() => undefined);
    const ended = write.beforeDeadline(never).catch((error: Error) => error.name);
    jest.advanceTimersByTime(60_000);
    write.startDeadline();
    jest.advanceTimersByTime(9999);
    write.startDeadline();
    expect(write.isExpired).toBe(false);
    jest.advanceTimersByTime(1);
    expect(write.isExpired).toBe(true);
    await expect(ended).resolves.toBe('MongoOperationTimeoutError');
  });

  it('ends with the write', () => {
    const write = new WriteRun();
    write.startDeadline();
    write.end();
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('the turn of a write', () => {
  it('ends when it takes another one: a write has one turn at a time', async () => {
    const turns = new Turns();
    const write = new WriteRun(turns);
    for (const record of ['a', 'a', 'b', undefined]) {
      await write.takeTurn(record);
      await setImmediate();
      expect(['a', 'b'].filter((one) => turns.isTaken(one))).toEqual(record === undefined ? [] : [record]);
    }
  });

  it('is required for a record that another write has the turn of', async () => {
    const turns = new Turns();
    const [write, other] = [new WriteRun(turns), new WriteRun(turns)];
    await write.requireTurn('a', true);
    await other.takeTurn('a');
    await other.requireTurn('a', true);
    await expect(write.requireTurn('a', true)).rejects.toMatchObject({ record: 'a' });
    await write.takeTurn('b');
    await expect(write.requireTurn('a', false)).rejects.toMatchObject({ record: 'a' });
  });

  it('is waited for before the transaction begins, and the handler runs again after the wait, once without a loss', async () => {
    const turns = new Turns();
    const [first, second] = [new WriteRun(turns), new WriteRun(turns)];
    for (const hasOnlyWaited of [true, false]) {
      await first.requireTurn('a', false);
      const waiting = second.requireTurn('a', false);
      first.endTurn();
      await expect(waiting).rejects.toMatchObject({ record: 'a' });
      expect(second.hasOnlyWaited).toBe(hasOnlyWaited);
      await second.requireTurn('a', false);
      second.endTurn();
      await setImmediate();
    }
    for (const write of [first, second]) write.end();
  });

  it('ends after half a second while the write has lost no race: others do not wait for a slow one', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    const turns = new Turns();
    const [slow, next] = [new WriteRun(turns), new WriteRun(turns)];
    await slow.requireTurn('a', false);
    const waiting = next.requireTurn('a', false).catch(() => 'has the turn');
    jest.advanceTimersByTime(499);
    await expect(Promise.race([waiting, setImmediate('waits')])).resolves.toBe('waits');
    jest.advanceTimersByTime(1);
    await expect(waiting).resolves.toBe('has the turn');
    for (const write of [slow, next]) write.end();
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  it.each([
    ['1510 for a write that only waited for others', undefined, 1510],
    ['1901 when the database was out of reach before', new mongo.MongoNetworkError('connection 3 closed'), undefined],
  ])('does not come after the deadline: %s', async (_title, cause, code) => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    const turns = new Turns();
    const [write, other, next] = [new WriteRun(turns), new WriteRun(turns), new WriteRun(turns)];
    await other.takeTurn('a');
    write.countLoss(new LostRace(cause, 'a'));
    write.startDeadline();
    const refused = write.takeTurn('a').catch((error: { code?: number }) => error.code);
    jest.advanceTimersByTime(timeLimits.write);
    expect(await refused).toBe(code);
    const taken = next.takeTurn('a');
    other.end();
    await taken;
    jest.useRealTimers();
  });
});
