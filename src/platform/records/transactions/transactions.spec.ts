import { setImmediate } from 'node:timers/promises';
import { mongo } from 'mongoose';
import { useNamed } from '../../../../test/support/connection';
import { Database } from '../database';
import { apiError } from '../../base/errors/api-error';
import { isDatabaseUnavailable } from '../driver/database-errors';
import { LostRace } from './lost-race';
import { beforeTransaction, currentTransaction } from './context';
import { Transactions, Writer } from './transactions';

const { connection, insert, losing, names, things } = useNamed('transactions');
const database = new Database(connection);
let transactions: Transactions;
beforeEach(() => void (transactions = new Transactions(database)));
afterEach(() => jest.restoreAllMocks());

describe('a write', () => {
  it('commits all that its work has written, and returns what the work returned', async () => {
    const work = async (): Promise<string> => {
      await insert('a');
      await things.collection.insertOne({ name: 'b' }, { session: currentTransaction()!.session });
      return 'done';
    };
    await expect(transactions.run(work)).resolves.toBe('done');
    expect(await names()).toEqual(['a', 'b']);
  });

  it('runs again after a lost race, and stores what its last attempt wrote', async () => {
    await expect(transactions.run(losing(2))).resolves.toBe(3);
    expect(await names()).toEqual(['attempt 3']);
  });

  it('sends no command to the database when its work sends none', async () => {
    const startSession = jest.spyOn(connection.getClient(), 'startSession');
    await expect(transactions.run(() => Promise.resolve(1))).resolves.toBe(1);
    await expect(transactions.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(startSession).not.toHaveBeenCalled();
  });

  it('refuses a command that its work has not awaited', async () => {
    let late: Promise<unknown> = Promise.resolve();
    const { promise: later, resolve: continueLater } = Promise.withResolvers<void>();
    await transactions.run(() => {
      late = later.then(() => insert('late')).catch((error: Error) => error.message);
      return Promise.resolve();
    });
    continueLater();
    expect(await late).toContain('after the end of its transaction');
    expect(await names()).toEqual([]);
  });

  /** Fails the next commit as MongoDB does when it does not know the transaction. */
  function forgetCommit(meanwhile: () => void, hasLabel = true): Error {
    const error = new mongo.MongoServerError({ message: 'no such transaction', code: 251 });
    if (hasLabel) error.addErrorLabel('TransientTransactionError');
    jest.spyOn(mongo.ClientSession.prototype, 'commitTransaction').mockImplementationOnce(async function (
      this: mongo.ClientSession,
    ) {
      await this.abortTransaction();
      meanwhile();
      throw error;
    });
    return error;
  }

  it('is 1901 and does not run again when it is not known whether it committed', async () => {
    const work = jest.fn(() => insert('a'));
    const error = forgetCommit(() => connection.getClient().emit('connectionPoolCleared', {} as never));
    const thrown: unknown = await transactions.run(work).catch((one: unknown) => one);
    expect(isDatabaseUnavailable(thrown)).toBe(true);
    expect(thrown).toMatchObject({ cause: error });
    expect(work).toHaveBeenCalledTimes(1);
  });

  it.each([true, false])(
    'runs again when its commit was refused while the connection stayed; label: %s',
    async (label) => {
      const work = jest.fn(() => insert('a'));
      forgetCommit(() => undefined, label);
      await transactions.run(work);
      expect(work).toHaveBeenCalledTimes(2);
      expect(await names()).toEqual(['a']);
    },
  );

  it('is 1901 when its commit was sent again and is not known then', async () => {
    const lost = new mongo.MongoNetworkError('connection closed');
    lost.addErrorLabel('UnknownTransactionCommitResult');
    jest.spyOn(mongo.ClientSession.prototype, 'commitTransaction').mockRejectedValueOnce(lost);
    const gone = new mongo.MongoServerError({ message: 'no such transaction', code: 251 });
    gone.addErrorLabel('TransientTransactionError');
    jest.spyOn(mongo.ClientSession.prototype, 'commitTransaction').mockRejectedValueOnce(gone);
    const work = jest.fn(() => insert('a'));
    await expect(transactions.run(work)).rejects.toMatchObject({ cause: gone });
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('ends its session, also when its work fails: then it stores nothing', async () => {
    const startSession = jest.spyOn(connection.getClient(), 'startSession');
    const fail = (): Promise<void> => Promise.reject(new Error('no'));
    const kept = jest.fn(() => insert('kept'));
    await transactions.run(kept);
    const dropped = jest.fn(() => insert('dropped').then(fail));
    await expect(transactions.run(dropped)).rejects.toThrow('no');
    while (!startSession.mock.results.every(({ value }) => (value as mongo.ClientSession).hasEnded))
      await setImmediate();
    // The driver gives reads sessions of their own, with options. Each attempt has one of ours.
    const ours = startSession.mock.calls.filter((options) => options.length === 0);
    expect(ours).toHaveLength(kept.mock.calls.length + dropped.mock.calls.length);
    expect(await names()).toEqual(['kept']);
  });

  it('sends its commit again while it is not known whether it was received', async () => {
    const error = new mongo.MongoNetworkError('connection closed');
    error.addErrorLabel('UnknownTransactionCommitResult');
    const commit = jest.spyOn(mongo.ClientSession.prototype, 'commitTransaction');
    commit.mockRejectedValueOnce(error).mockRejectedValueOnce(error);
    await transactions.run(() => insert('a'));
    expect(commit).toHaveBeenCalledTimes(3);
    expect(await names()).toEqual(['a']);
  });
});

describe('the writer', () => {
  const writer = (authorizeAgain: () => Promise<boolean>, record?: string, account?: string): Writer => ({
    record,
    account,
    authorizeAgain,
  });
  const yes = (): Promise<boolean> => Promise.resolve(true);

  it('is authorized again before each further attempt, outside the transaction', async () => {
    const authorizeAgain = jest.fn(() => Promise.resolve(currentTransaction() === undefined));
    await transactions.run(losing(2), writer(authorizeAgain));
    expect(authorizeAgain).toHaveBeenCalledTimes(2);
    await expect(authorizeAgain.mock.results[0]!.value).resolves.toBe(true);
  });

  it('who lost the right gets its error, and nothing is written', async () => {
    const forbidden = (): Promise<boolean> => Promise.reject(apiError('forbidden'));
    await expect(transactions.run(losing(1), writer(forbidden))).rejects.toMatchObject({ code: 1200 });
    expect(await names()).toEqual([]);
  });

  it('gives up with 1510 after five lost races, and after a second if they are for the record that its path names', async () => {
    const other = losing(Infinity, () => new LostRace(undefined, 'b'));
    await expect(transactions.run(other, writer(yes, 'a'))).rejects.toMatchObject({ code: 1510 });
    expect(other).toHaveBeenCalledTimes(5);
    const began = performance.now();
    const own = losing(Infinity);
    await expect(transactions.run(own, writer(yes, 'a'))).rejects.toMatchObject({ code: 1510 });
    expect(performance.now() - began).toBeGreaterThan(1000);
  });

  it('gets 1510 when it runs out of time under contention, and 1901 when the database is out of reach', async () => {
    const cut = new mongo.MongoNetworkError('connection closed');
    cut.addErrorLabel('TransientTransactionError');
    const { promise: response, resolve: respond } = Promise.withResolvers<void>();
    const hung = (name: string) => jest.fn(() => insert(name).then(() => response));
    const contended = (cause?: Error) => () => {
      // It begins, so the time counts.
      void currentTransaction()!.session;
      return Promise.reject(new LostRace(cause));
    };
    const outcomeOf = async (work: () => Promise<unknown>): Promise<unknown> => {
      transactions.timeLimit = 300;
      const error: unknown = await transactions.run(work, writer(yes, 'a')).catch((one: unknown) => one);
      return isDatabaseUnavailable(error) ? 1901 : (error as { code?: number }).code;
    };
    expect(await outcomeOf(contended())).toBe(1510);
    expect(await outcomeOf(contended(cut))).toBe(1901);
    expect(await outcomeOf(hung('a'))).toBe(1901);
    expect(await outcomeOf(hung('b').mockRejectedValueOnce(new LostRace()))).toBe(1901);
    respond();
    expect(await names()).toEqual([]);
  });

  it('gets 1901 when it runs out of time during its commit, which may be stored', async () => {
    transactions.timeLimit = 1000;
    const { commitTransaction } = mongo.ClientSession.prototype;
    const { promise: late, resolve: commit } = Promise.withResolvers<void>();
    jest.spyOn(mongo.ClientSession.prototype, 'commitTransaction').mockImplementationOnce(async function (
      this: mongo.ClientSession,
    ) {
      await late;
      await commitTransaction.call(this);
    });
    const thrown: unknown = await transactions.run(losing(1), writer(yes, 'a')).catch((one: unknown) => one);
    expect(isDatabaseUnavailable(thrown)).toBe(true);
    commit();
    while ((await names()).length === 0) await setImmediate();
    expect(await names()).toEqual(['attempt 2']);
  });

  it('waits for the turn of its record while another write has it, and is authorized then', async () => {
    const order: string[] = [];
    const note = (what: string) => () => Promise.resolve(order.push(what) > 0);
    const { promise: first, resolve: endFirst } = Promise.withResolvers<void>();
    const lost = losing(1);
    const work = async (): Promise<void> => {
      if ((await lost()) === 2) await first;
      order.push('first');
    };
    const slow = transactions.run(work, writer(yes, 'a'));
    while (lost.mock.calls.length < 2) await setImmediate();
    const second = transactions.run(note('second'), writer(note('authorized'), 'a'));
    await transactions.run(note('other'), writer(yes, 'b'));
    endFirst();
    await Promise.all([slow, second]);
    expect(order).toEqual(['other', 'first', 'authorized', 'second']);
  });

  it('comes next although another account takes turns on its record without end', async () => {
    const order: string[] = [];
    // Each write loses a race on the record, as one does that adds a reference to it.
    const writeOnce = async (): Promise<unknown> => {
      const work = jest.fn(async () => {
        if (work.mock.calls.length === 1) throw new LostRace(undefined, 'a');
        await setImmediate();
        order.push('attack');
      });
      return transactions.run(work, writer(yes, 'b', 'attacker'));
    };
    const attack = async (): Promise<void> => {
      while (!order.includes('end') && order.length < 100) await writeOnce();
    };
    const attacks = [attack(), attack(), attack()];
    while (order.length < 3) await setImmediate();
    const before = order.length;
    await transactions.run(() => Promise.resolve(order.push('own')), writer(yes, 'a', 'admin'));
    order.push('end');
    await Promise.all(attacks);
    expect(order.indexOf('own') - before).toBeLessThanOrEqual(2);
  });

  it('gives its turn back before slow work, so others don’t wait for it', async () => {
    const { promise: slow, resolve: endSlow } = Promise.withResolvers<void>();
    const { promise: first, resolve: endFirst } = Promise.withResolvers<void>();
    const lost = losing(1);
    const holder = transactions.run(async () => ((await lost()) === 2 ? first : undefined), writer(yes, 'a'));
    while (lost.mock.calls.length < 2) await setImmediate();
    const hashing = transactions.run(() => beforeTransaction('hash', () => slow), writer(yes, 'a'));
    const other = transactions.run(() => Promise.resolve('done'), writer(yes, 'a'));
    endFirst();
    await holder;
    await expect(other).resolves.toBe('done');
    endSlow();
    await hashing;
  });
});
