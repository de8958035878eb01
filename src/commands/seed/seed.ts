import type { INestApplicationContext } from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { buildUniqueIndexes } from '../../database/index-build';
import { Transactions } from '../../database/transactions';
import { Passwords } from '../../users/passwords';
import { Progress, Screen } from '../progress';
import { demoApis, demoOrganizations, demoUsers, DemoRecords } from './demo-records';

/** How many demo records of each resource there should be. */
export type Counts = Readonly<Record<'users' | 'organizations' | 'apis', number>>;

/** The most demo records of a resource. */
export const MAX_COUNT = 100_000;

/** Records in one transaction, each with several commands: it has ten seconds. */
const BATCH = 20;

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

/** Adds the missing ones of the records 1 to `progress.total`. */
async function addMissing(kind: DemoRecords, progress: Progress, transactions: Transactions): Promise<void> {
  let added = 0;
  while (progress.done < progress.total) {
    const length = Math.min(BATCH, progress.total - progress.done);
    const first = progress.done + 1;
    added += await transactions.run(() => addBatch(kind, first, length));
    progress.advance(length);
  }
  progress.end(`${added} added, ${progress.total - added} already there`);
}

/** Returns how many records it added. */
async function addBatch(kind: DemoRecords, first: number, length: number): Promise<number> {
  let added = 0;
  for (let number = first; number < first + length; number += 1) {
    if (await kind.isTaken(number)) continue;
    await kind.add(number);
    added += 1;
  }
  return added;
}
