import { Connection, mongo } from 'mongoose';
import { toApiError } from '../errors/to-api-error';
import { Transactions } from './transactions';

/** A connection that begins again after every loss of the connection, as the driver does. */
function retrying(lost: Error): Connection {
  const transaction = async (attempt: () => Promise<unknown>): Promise<unknown> => {
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (error !== lost) throw error;
      }
    }
  };
  return { transaction } as unknown as Connection;
}

it('tells the log why it gave up, and the client that the database is unavailable', async () => {
  const lost = new mongo.MongoNetworkError('connection 3 closed');
  const error: unknown = await new Transactions(retrying(lost)).run(() => Promise.reject(lost)).catch((one) => one);
  expect(error).toMatchObject({ message: 'A transaction did not end in time: connection 3 closed', cause: lost });
  expect(toApiError(error)).toMatchObject({ status: 503, code: 1901 });
});
