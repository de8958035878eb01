import { Connection, createConnection, Document } from 'mongoose';
import { Api, ApiSchema } from '../apis/api.schema';
import { connect } from '../database/connect';
import { connectionOptions } from '../database/connection-options';
import { buildUniqueIndexes } from '../database/index-build';
import { refuseUnreadable } from '../database/migrations/data-version';
import { Transactions } from '../database/transactions';
import { Organization, OrganizationSchema } from '../organizations/organization.schema';
import { Progress, Screen } from '../progress';
import { Passwords } from '../users/passwords';
import { User, UserSchema } from '../users/user.schema';
import { demoApis, demoOrganizations, demoUsers, Kind } from './demo-records';
import { SeedOptions } from './options';

/** How many records are added in one transaction. */
const BATCH = 200;

/**
 * Adds demo records to the database until there are as many as the options say. Existing records are not changed.
 * @param password of the Users that are added
 * @throws SeedError when the database cannot be reached, or records that others need are missing
 */
export async function seed(uri: string, options: SeedOptions, password: string, screen: Screen): Promise<void> {
  // A search through 100,000 demo records may take longer than one of a request.
  const connection = createConnection(uri, { ...connectionOptions, socketTimeoutMS: 0 });
  const users = connection.model<User>(User.name, UserSchema);
  const organizations = connection.model<Organization>(Organization.name, OrganizationSchema);
  const apis = connection.model<Api>(Api.name, ApiSchema);
  try {
    await prepare(connection);
    const transactions = new Transactions(connection);
    const add = (title: string, total: number, kind: Kind<object>): Promise<void> =>
      addMissing(kind, new Progress(screen, title, total), transactions);
    const passwordHash = await new Passwords().hash(password, { isKnown: true });
    await add('Users', options.users, demoUsers(users, passwordHash));
    await add('Organizations', options.organizations, await demoOrganizations(organizations, users));
    await add('APIs', options.apis, await demoApis(apis, organizations));
  } finally {
    await connection.close();
  }
}

/** Connects, and builds the indexes that keep what is added unique. */
async function prepare(connection: Connection): Promise<void> {
  await connect(connection);
  await refuseUnreadable(connection);
  await buildUniqueIndexes(connection, Object.values(connection.models));
}

/** Adds the missing ones of the records 1 to `progress.total`. */
async function addMissing(kind: Kind<object>, progress: Progress, transactions: Transactions): Promise<void> {
  let added = 0;
  for (let first = 1; first <= progress.total; first += BATCH) {
    const length = Math.min(BATCH, progress.total - first + 1);
    const numbers = Array.from({ length }, (_, offset) => first + offset);
    added += await addBatch(kind, numbers, transactions);
    progress.advance(length);
  }
  progress.end(`${added} added, ${progress.total - added} already there`);
}

/** Returns how many records it added. Runs again when another writer has taken a name in the meantime. */
function addBatch(kind: Kind<object>, numbers: number[], transactions: Transactions): Promise<number> {
  return transactions.run(async () => {
    const records = (await findMissing(kind, numbers)).map((number) => kind.create(number));
    if (records.length === 0) return 0;
    await kind.addReferences?.(records);
    await kind.model.insertMany(records);
    return records.length;
  });
}

async function findMissing({ model, unique }: Kind<object>, numbers: number[]): Promise<number[]> {
  let missing = numbers;
  for (const field of Object.keys(unique(1))) {
    const valueOf = (number: number): string => unique(number)[field]!;
    const found: Document[] = await model.find({ [field]: { $in: missing.map(valueOf) } }, { [field]: 1 });
    const taken = new Set(found.flatMap((record) => record.get(field) as string | string[]));
    missing = missing.filter((number) => !taken.has(valueOf(number)));
  }
  return missing;
}
