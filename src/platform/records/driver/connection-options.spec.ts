import { createConnection } from 'mongoose';
import { connectionOptions } from './connection-options';

it('MONGODB_URI cannot make reads go to a secondary, where a logout or a lost role is known later', async () => {
  const uri = 'mongodb://127.0.0.1:1/roster?readPreference=secondaryPreferred';
  const connection = createConnection();
  // Nobody listens there; the client exists all the same.
  await connection.openUri(uri, { ...connectionOptions, serverSelectionTimeoutMS: 50 }).catch(() => undefined);
  expect(connection.getClient().readPreference.mode).toBe('primary');
  await connection.close();
});
