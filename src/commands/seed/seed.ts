import type { Connection, Document } from 'mongoose';
import { Api } from '../../apis/api.schema';
import { buildUniqueIndexes } from '../../database/index-build';
import { currentTransaction } from '../../database/transaction';
import { Transactions } from '../../database/transactions';
import { Organization } from '../../organizations/organization.schema';
import { Passwords } from '../../users/passwords';
import { User } from '../../users/user.schema';
import { Progress, Screen } from '../progress';
import { demoApis, demoOrganizations, demoUsers, Kind } from './demo-records';

export type Counts = Readonly<Record<'users' | 'organizations' | 'apis', number>>;

export const MAX_COUNT = 100_000;

const BATCH = 200;

/** Adds demo records until there are so many. @throws StartError when records that others need are missing */
export async function seed(
  connection: Connection,
  transactions: Transactions,
  counts: Counts,
  password: string,
  screen: Screen,
): Promise<void> {
  const users = connection.model<User>(User.name);
  const organizations = connection.model<Organization>(Organization.name);
  const apis = connection.model<Api>(Api.name);
  // They keep what is added unique.
  await buildUniqueIndexes(connection, Object.values(connection.models));
  const add = (title: string, total: number, kind: Kind<object>): Promise<void> =>
    addMissing(kind, new Progress(screen, title, total), transactions);
  const passwordHash = await new Passwords().hash(password, {});
  await add('Users', counts.users, demoUsers(users, passwordHash));
  await add('Organizations', counts.organizations, await demoOrganizations(organizations, users));
  await add('APIs', counts.apis, await demoApis(apis, organizations));
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
    const records = await findMissing(
      kind,
      numbers.map((number) => kind.create(number)),
    );
    if (records.length === 0) return 0;
    await kind.addReferences?.(records);
    const inserted = (await kind.model.insertMany(records)) as Document[];
    for (const record of inserted) currentTransaction()?.changes.add(kind.model, undefined, record.toObject<object>());
    return records.length;
  });
}

async function findMissing({ model, unique }: Kind<object>, records: object[]): Promise<object[]> {
  let missing = records;
  for (const field of Object.keys(unique(records[0]!))) {
    const valueOf = (record: object): string => unique(record)[field]!;
    const found: Document[] = await model.find({ [field]: { $in: missing.map(valueOf) } }, { [field]: 1 });
    const taken = new Set(found.flatMap((record) => record.get(field) as string | string[]));
    missing = missing.filter((record) => !taken.has(valueOf(record)));
  }
  return missing;
}
