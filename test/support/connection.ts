import { type Connection, type ConnectOptions, createConnection, type Model, Schema, type Types } from 'mongoose';
import { connectionOptions } from '../../src/platform/records/driver/connection-options';
import { currentTransaction } from '../../src/platform/records/transactions/context';
import { LostRace } from '../../src/platform/records/transactions/lost-race';
import { databaseUri } from './database';
import type { Service } from './service';

/**
 * Options of the driver: on a busy machine, a database that is slow must not look like one that is away. Tests of the time
 * limits set shorter ones.
 */
export const DRIVER = {
  ...connectionOptions,
  serverSelectionTimeoutMS: 20_000,
  socketTimeoutMS: 30_000,
  connectTimeoutMS: 20_000,
  waitQueueTimeoutMS: 30_000,
  monitorCommands: true,
} satisfies ConnectOptions;

/** A connection to a database of its own, while the tests of a file run. */
export function useConnection(name: string, options: ConnectOptions = {}): Connection {
  const connection = createConnection();
  beforeAll(() => connection.openUri(databaseUri(name), options));
  afterAll(async () => {
    await connection.dropDatabase();
    await connection.close();
  });
  return connection;
}

/**
 * Works on a database and closes the connection.
 *
 * @param service whose Models the connection gets
 */
export async function onDatabase<T>(
  uri: string,
  work: (connection: Connection) => Promise<T>,
  service?: Service,
): Promise<T> {
  const connection = await createConnection(uri, DRIVER).asPromise();
  for (const { modelName, schema } of Object.values(service?.connection.models ?? {})) {
    connection.model(modelName, schema);
  }
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** A Model with its collection and indexes, and no record before each test. */
export function useModel<T>(connection: Connection, schema: Schema<T>): Model<T> {
  const model = connection.model<T>('Thing', schema);
  beforeAll(async () => {
    await model.createCollection();
    await model.createIndexes();
  });
  beforeEach(() => model.deleteMany());
  return model;
}

interface Named {
  readonly _id: Types.ObjectId;
  readonly name: string;
}

interface NamedThings {
  connection: Connection;
  things: Model<Named>;
  names(): Promise<string[]>;
  insert(name: string): Promise<void>;
  /** Work that loses its first races, as often as this, after it has written. */
  losing(times: number, error?: () => Error): jest.Mock<Promise<number>>;
}

/** Records with unique names, for tests of transactions. */
export function useNamed(database: string): NamedThings {
  const connection = useConnection(database);
  const things = useModel(connection, new Schema<Named>({ name: { type: String, unique: true } }));
  const names = async (): Promise<string[]> => {
    const read = things.find().session(currentTransaction()?.session ?? null);
    return (await read.sort({ name: 1 }).lean()).map(({ name }) => name);
  };
  const insert = async (name: string): Promise<void> =>
    void (await things.create([{ name }], { session: currentTransaction()?.session }));

  function losing(times: number, error = (): Error => new LostRace()): jest.Mock<Promise<number>> {
    let attempts = 0;
    return jest.fn(async () => {
      attempts += 1;
      await insert(`attempt ${attempts}`);
      if (attempts <= times) throw error();
      return attempts;
    });
  }
  return { connection, things, names, insert, losing };
}
