import { Logger } from '@nestjs/common';
import { mongo } from 'mongoose';
import { useNamed } from '../../../../test/support/connection';
import { Database } from '../database';
import { afterCommit, currentTransaction, beforeTransaction, outsideTransaction } from './context';
import { Transactions } from './transactions';

const { connection, insert, losing, names } = useNamed('transaction');
const database = new Database(connection);
let transactions: Transactions;
beforeEach(() => void (transactions = new Transactions(database)));
afterEach(() => jest.restoreAllMocks());

describe('effects outside the database', () => {
  it('happen once, after the commit, however many attempts there are', async () => {
    const effects: string[] = [];
    const lost = losing(2);
    await transactions.run(async () => {
      afterCommit(() => Promise.resolve(effects.push('committed')));
      await lost();
      effects.push('written');
    });
    expect(effects).toEqual(['written', 'committed']);
    const failing = async (): Promise<void> => {
      afterCommit(() => Promise.resolve(effects.push('not this one')));
      await insert('x');
      throw new Error('disk full');
    };
    await expect(transactions.run(failing)).rejects.toThrow('disk full');
    expect(effects).toHaveLength(2);
  });

  it('do not fail the write, which is stored: the log has what they throw', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const [err, next] = [new Error('no receiver'), jest.fn(() => Promise.resolve())];
    await transactions.run(async () => {
      afterCommit(() => Promise.reject(err));
      afterCommit(() => {
        throw err;
      });
      afterCommit(next);
      await insert('a');
    });
    expect(await names()).toEqual(['a']);
    expect(next).toHaveBeenCalledTimes(1);
    const line = [{ msg: 'An effect of a committed write failed', err }];
    expect(logged.mock.calls).toEqual([line, line]);
  });

  it('happen immediately outside a transaction', () => {
    const effect = jest.fn(() => Promise.resolve());
    afterCommit(effect);
    expect(effect).toHaveBeenCalledTimes(1);
  });
});

describe('work before the transaction', () => {
  it('is done once for all attempts, outside the transaction, and again for another key', async () => {
    const hash = jest.fn(() => Promise.resolve(currentTransaction() === undefined));
    const lost = losing(2);
    const results: unknown[] = [];
    await transactions.run(async () => {
      results.push(
        await beforeTransaction('hash', hash),
        await beforeTransaction(`hash ${lost.mock.calls.length > 1}`, hash),
      );
      await lost();
    });
    expect(results).toEqual(Array.from({ length: 6 }, () => true));
    expect(hash).toHaveBeenCalledTimes(3);
  });

  it('is taken back once when the write fails, and not when it succeeds', async () => {
    const undo = jest.fn(() => Promise.resolve());
    const count = (): Promise<void> => beforeTransaction('count', () => Promise.resolve(), undo);
    await transactions.run(count);
    expect(undo).not.toHaveBeenCalled();
    const lost = losing(Infinity);
    await expect(transactions.run(async () => [await count(), await lost()])).rejects.toMatchObject({ code: 1510 });
    expect(lost).toHaveBeenCalledTimes(5);
    expect(undo).toHaveBeenCalledTimes(1);
  });

  const refused = new mongo.MongoServerError({ message: 'conflict', code: 112 });
  it.each([
    ['is taken back when each commit of the write is refused', refused, 1],
    ['is not taken back when the write may have been stored', new mongo.MongoNetworkError('closed'), 0],
  ])('%s', async (_title, error, times) => {
    const undo = jest.fn(() => Promise.resolve());
    jest.spyOn(mongo.ClientSession.prototype, 'commitTransaction').mockRejectedValue(error);
    const work = async (): Promise<void> => {
      await beforeTransaction('count', () => Promise.resolve(), undo);
      await insert('a');
    };
    await expect(transactions.run(work)).rejects.toThrow();
    expect(undo).toHaveBeenCalledTimes(times);
  });

  it('must come before it', async () => {
    const work = async (): Promise<void> => {
      await insert('a');
      await beforeTransaction('hash', () => Promise.resolve());
    };
    await expect(transactions.run(work)).rejects.toThrow('"hash" must come before the first command');
  });
});

test('Reads outside the transaction see what is committed, also within its work', async () => {
  const read = await transactions.run(async () => {
    await insert('a');
    return [await names(), await outsideTransaction(names)];
  });
  expect(read).toEqual([['a'], []]);
});
