import { Organization } from '../../src/organizations/organization.schema';
import { AdminList, User } from '../../src/users/user.schema';
import { Service } from '../support/service';

/** Fails unless what is stored keeps the rules that no race may break (contract §1.8). */
export async function expectSoundRegistry(service: Service): Promise<void> {
  const organizations = await service.model<Organization>('Organization').find().lean();
  const users = await service.model<User>('User').find().lean();
  expect({
    dangling: danglingManagers(organizations, users),
    managerless: organizations.filter(({ managers }) => managers.length === 0).map(({ name }) => name),
    managersTwice: organizations.filter(({ managers }) => repeated(managers.map(idOf)).length > 0),
    names: repeated(organizations.map(({ nameKey }) => nameKey)),
    slugs: repeated(organizations.flatMap(({ slugs }) => slugs.map(({ text }) => text))),
    usernames: repeated(users.map(({ usernameKey }) => usernameKey)),
    emails: repeated(users.map(({ emailKey }) => emailKey)),
  }).toEqual({ dangling: [], managerless: [], managersTwice: [], names: [], slugs: [], usernames: [], emails: [] });
  await expectAdmins(service, users);
}

/** The list of Admins names those who have the role, and there is one. */
async function expectAdmins(service: Service, users: readonly User[]): Promise<void> {
  const list = await service.model<AdminList>('AdminList').findOne().lean();
  const admins = users.filter(({ roles }) => roles.includes('admin')).map(idOf);
  expect(list?.userIds.map(String).sort()).toEqual(admins.sort());
  expect(admins).not.toHaveLength(0);
}

function danglingManagers(organizations: readonly Organization[], users: readonly User[]): string[] {
  const there = new Set(users.map(idOf));
  return organizations.flatMap(({ managers }) => managers.map(idOf)).filter((id) => !there.has(id));
}

function idOf({ _id }: { _id: unknown }): string {
  return String(_id);
}

function repeated(values: readonly string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}
