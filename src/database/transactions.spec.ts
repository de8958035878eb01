import { Connection, mongo } from 'mongoose';
import { toApiError } from '../errors/to-api-error';
import { Transactions } from './transactions';

/** A connection that begins again after this error, as the driver does. @param commit fails when it rejects */
function retrying(lost: Error, commit = () => Promise.resolve()): Connection {
  const session = { commitTransaction: commit };
  const transaction = async (attempt: (one: object) => Promise<unknown>): Promise<unknown> => {
    for (;;) {
      try {
        const result = await attempt(session);
        await session.commitTransaction();
        return result;
      } catch (error) {
        if (error !== lost) throw error;
      }
    }
  };
  const client = { on: () => undefined };
  return { transaction, getClient: () => client } as unknown as Connection;
}

it('tells the log why it gave up, and the client that the database is unavailable', async () => {
  const lost = new mongo.MongoNetworkError('connection 3 closed');
  const error: unknown = await new Transactions(retrying(lost)).run(() => Promise.reject(lost)).catch((one) => one);
  expect(error).toMatchObject({ message: 'A transaction did not end in time: connection 3 closed', cause: lost });
  expect(toApiError(error)).toMatchObject({ status: 503, code: 1901 });
});

it('does not doubt a commit that failed while the connection stayed', async () => {
  const conflict = new mongo.MongoServerError({ message: 'killed by the start of another instance', code: 251 });
  const transactions = new Transactions(retrying(conflict, () => Promise.reject(conflict)));
  const work = jest.fn().mockResolvedValueOnce(1).mockResolvedValueOnce(undefined);
  await expect(transactions.attempt(work)).resolves.toBeUndefined();
  expect(work).toHaveBeenCalledTimes(2);
});
