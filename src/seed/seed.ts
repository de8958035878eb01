import { hashPassword } from '../users/passwords';
import { addMissing } from './batches';
import { DemoApis, demoOwners } from './demo-apis';
import { DemoOrganizations } from './demo-organizations';
import { DemoUsers } from './demo-users';
import type { SeedOptions } from './options';
import { Progress, Screen } from './progress';
import { openRegistry } from './registry';

/**
 * Fills the registry at this address up to the numbers that are asked for. Records that are there stay as they are, so
 * that it can be run again.
 *
 * @param password of the users that are added
 * @throws SeedError when records that others need are missing
 */
export async function seed(uri: string, options: SeedOptions, password: string, screen: Screen): Promise<void> {
  const registry = await openRegistry(uri);
  try {
    const users = new DemoUsers(registry.users, await hashPassword(password));
    await show('Users', options.users, screen, users);
    await show('Organizations', options.organizations, screen, new DemoOrganizations(registry, await users.ids()));
    await show('APIs', options.apis, screen, new DemoApis(registry, await demoOwners(registry)));
  } finally {
    await registry.close();
  }
}

async function show(
  title: string,
  total: number,
  screen: Screen,
  kind: Parameters<typeof addMissing>[0],
): Promise<void> {
  const progress = new Progress(screen, title, total);
  await addMissing(kind, total, progress);
  progress.end();
}
