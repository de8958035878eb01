import mongoose, { Connection, createConnection, Model } from 'mongoose';
import { Api, ApiSchema } from '../apis/api.schema';
import { buildIndexes } from '../database/index-build';
import { Transactions } from '../database/transactions';
import { Organization, OrganizationSchema } from '../organizations/organization.schema';
import { User, UserSchema } from '../users/user.schema';
import { SeedError } from './options';

/** The stored registry, without the service around it. */
export interface Registry {
  readonly users: Model<User>;
  readonly organizations: Model<Organization>;
  readonly apis: Model<Api>;
  readonly transactions: Transactions;
  close(): Promise<void>;
}

/**
 * Connects to the registry's database and builds the indexes, which keep what is added unique.
 *
 * @param uri its address
 * @throws SeedError when no server answers there
 */
export async function openRegistry(uri: string): Promise<Registry> {
  // As in database.module.ts: inside `Transactions.run` every mongoose operation takes part without being told.
  mongoose.set('transactionAsyncLocalStorage', true);
  const connection = createConnection(uri, {
    autoIndex: false,
    autoCreate: false,
    serverSelectionTimeoutMS: 5000,
    writeConcern: { w: 'majority', journal: true },
  });
  const registry = { ...models(connection), transactions: new Transactions(connection) };
  try {
    await connection.asPromise();
    await buildIndexes(connection);
  } catch (error) {
    await connection.close();
    if (!(error instanceof mongoose.Error.MongooseServerSelectionError)) throw error;
    throw new SeedError(`The database does not answer: ${error.message}. Start it, or mend MONGODB_URI.`, {
      cause: error,
    });
  }
  return { ...registry, close: () => connection.close() };
}

function models(connection: Connection): Pick<Registry, 'users' | 'organizations' | 'apis'> {
  return {
    users: connection.model<User>(User.name, UserSchema),
    organizations: connection.model<Organization>(Organization.name, OrganizationSchema),
    apis: connection.model<Api>(Api.name, ApiSchema),
  };
}
