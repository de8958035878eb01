import type { INestApplicationContext } from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { buildIndexes } from '../../platform/records/indexes/index-build';
import { Transactions } from '../../platform/records/transactions/transactions';
import { Passwords } from '../../registry/users/passwords';
import { Progress, Screen } from '../progress';
import { CompanyRecords } from './company-records';
import { AddOne, demoApis, demoOrganizations, demoUsers } from './demo-records';

/** How many numbered demo records of each resource there should be, and whether the example company. */
export type Counts = Readonly<Record<'users' | 'organizations' | 'apis', number> & { company: boolean }>;

/** The most demo records of a resource. */
export const MAX_COUNT = 100_000;

/** Adds the example company, and numbered records until there are so many. @throws StartError when records that others need are missing */
export async function seed(
  app: INestApplicationContext,
  counts: Counts,
  password: string,
  screen: Screen,
): Promise<void> {
  const connection = app.get<Connection>(getConnectionToken());
  // They keep what is added unique.
  await buildIndexes(connection);
  const add = (title: string, total: number, addOne: AddOne): Promise<void> | undefined =>
    total === 0 ? undefined : addMissing(addOne, new Progress(screen, title, total), app.get(Transactions));
  const passwordHash = await app.get(Passwords).hash(password, {});
  if (counts.company) {
    const company = new CompanyRecords(app, passwordHash).all();
    await add('Example company', company.length, (number) => company[number - 1]!());
  }
  await add('Users', counts.users, demoUsers(app, passwordHash));
  await add('Organizations', counts.organizations, await demoOrganizations(app));
  await add('APIs', counts.apis, await demoApis(app, counts.apis));
}

/** Adds the missing ones of the records 1 to `progress.total`, each in a transaction. */
async function addMissing(addOne: AddOne, progress: Progress, transactions: Transactions): Promise<void> {
  let added = 0;
  for (let number = 1; number <= progress.total; number += 1) {
    added += (await transactions.run(() => addOne(number))) ? 1 : 0;
    progress.advance(1);
  }
  progress.end(`${added} added, ${progress.total - added} already there`);
}
