import type { INestApplicationContext } from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { buildUniqueIndexes } from '../../platform/records/indexes/index-build';
import { Transactions } from '../../platform/records/transactions/transactions';
import { Passwords } from '../../registry/users/passwords';
import { Progress, Screen } from '../progress';
import { demoApis, demoOrganizations, demoUsers, DemoRecords } from './demo-records';

/** How many demo records of each resource there should be. */
export type Counts = Readonly<Record<'users' | 'organizations' | 'apis', number>>;

/** The most demo records of a resource. */
export const MAX_COUNT = 100_000;

/** Adds demo records until there are so many. @throws StartError when records that others need are missing */
export async function seed(
  app: INestApplicationContext,
  counts: Counts,
  password: string,
  screen: Screen,
): Promise<void> {
  const connection = app.get<Connection>(getConnectionToken());
  // They keep what is added unique.
  await buildUniqueIndexes(connection);
  const add = (title: string, total: number, kind: DemoRecords): Promise<void> =>
    addMissing(kind, new Progress(screen, title, total), app.get(Transactions));
  const passwordHash = await app.get(Passwords).hash(password, {});
  await add('Users', counts.users, demoUsers(app, passwordHash));
  await add('Organizations', counts.organizations, await demoOrganizations(app));
  await add('APIs', counts.apis, await demoApis(app, counts.apis));
}

/** Adds the missing ones of the records 1 to `progress.total`, each in a transaction. */
async function addMissing(kind: DemoRecords, progress: Progress, transactions: Transactions): Promise<void> {
  let added = 0;
  for (let number = 1; number <= progress.total; number += 1) {
    added += await transactions.run(async () => {
      if (await kind.isTaken(number)) return 0;
      await kind.add(number);
      return 1;
    });
    progress.advance(1);
  }
  progress.end(`${added} added, ${progress.total - added} already there`);
}
