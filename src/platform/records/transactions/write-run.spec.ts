import { mongo } from 'mongoose';
import { LostRace, lostRaceOf, throwLost, WriteRun } from './write-run';

/** Counts lost races until there may be no further attempt. */
function lossesOf(write: WriteRun, slugOf: (loss: number) => string | undefined): number {
  for (let loss = 1; loss < 1000; loss += 1) {
    try {
      write.countLoss(new LostRace(undefined, undefined, slugOf(loss)));
    } catch (error) {
      expect(error).toMatchObject({ code: 1510 });
      return loss;
    }
  }
  throw new Error('It never gave up.');
}

describe('a write that loses races', () => {
  it('gives up with 1510 after five attempts, and says what the last one met', () => {
    expect(lossesOf(new WriteRun(), () => undefined)).toBe(5);
    const write = new WriteRun();
    const cause = new Error('duplicate');
    for (let loss = 1; loss < 5; loss += 1) write.countLoss(new LostRace());
    expect(() => write.countLoss(new LostRace(cause))).toThrow(expect.objectContaining({ cause }) as Error);
  });

  it('is repeated from the first loss on, so it looks up unique values', () => {
    const write = new WriteRun();
    expect(write.isRepeated).toBe(false);
    write.countLoss(new LostRace());
    expect(write.isRepeated).toBe(true);
  });

  it('gives up after thirty slugs that others got', () => {
    const write = new WriteRun();
    expect(lossesOf(write, (loss) => `foo-${loss}`)).toBe(30);
    expect([...write.blockedSlugs]).toEqual([]);
  });

  it('skips a slug that it cannot get five times in a row, and at most five such slugs', () => {
    const write = new WriteRun();
    const losses = lossesOf(write, () => `foo-${write.blockedSlugs.size}`);
    expect([...write.blockedSlugs]).toEqual(['foo-0', 'foo-1', 'foo-2', 'foo-3', 'foo-4']);
    expect(losses).toBe(30);
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

describe('a lost race', () => {
  const coded = (code: number): Error => new mongo.MongoServerError({ message: 'refused', code });
  const labelled = new mongo.MongoNetworkError('closed');
  labelled.addErrorLabel('TransientTransactionError');

  it.each([coded(112), coded(251), coded(11000), labelled])(
    'is a conflict, a duplicate key or a transaction that may run again',
    (error) => {
      expect(lostRaceOf(error)).toMatchObject({ cause: error });
    },
  );

  it.each([coded(13), new Error('disk full'), undefined])('is no other error: %s', (error) => {
    expect(lostRaceOf(error)).toBeUndefined();
  });

  it.each([
    ['names its record, and the slug that another one got', coded(11000), { record: 'a', slug: 'foo' }],
    ['names no slug when the database was out of reach', labelled, { record: 'a', slug: undefined }],
  ])('%s', (_title, error, lost) => {
    expect(() => throwLost(error, 'a', 'foo')).toThrow(expect.objectContaining({ cause: error, ...lost }) as Error);
  });

  it('is not made of another error', () => {
    const error = new Error('disk full');
    expect(() => throwLost(error, 'a')).toThrow(error);
  });
});
