import type { Api } from '../../src/apis/api.schema';
import type { File } from '../../src/files/file.schema';
import type { Organization } from '../../src/organizations/organization.schema';
import type { User } from '../../src/users/user.schema';
import type { Service } from '../support/service';

/** Fails unless what is stored keeps the rules that no race may break (contract §1.8, §3). */
export async function expectSound(service: Service): Promise<void> {
  const all = <T>(name: string): Promise<T[]> =>
    service.model<T>(name).find().schemaLevelProjections(false).lean<T[]>();
  const [users, organizations] = [await all<User>('User'), await all<Organization>('Organization')];
  const [apis, files] = [await all<Api>('Api'), await all<File>('File')];
  const userIds = new Set(users.map(idOf));
  const apisOf = ({ _id }: Organization): Api[] => apis.filter(({ organizationId }) => organizationId.equals(_id));
  const featurable = (one: Organization): string[] => apisOf(one).flatMap((api) => (api.isPublic ? idOf(api) : []));
  const logos = organizations.flatMap(({ _id, organizationLogoFileId }) =>
    organizationLogoFileId ? `${String(_id)} ${String(organizationLogoFileId)}` : [],
  );
  const attached = files.flatMap((file) => (file.organizationId ? `${String(file.organizationId)} ${idOf(file)}` : []));
  const organizationIds = new Set(organizations.map(idOf));
  expect({
    admins: users.some(({ roles, isSuspended }) => roles.includes('admin') && !isSuspended),
    dangling: organizations.flatMap(({ managers }) => managers.map(idOf)).filter((id) => !userIds.has(id)),
    managerless: organizations.filter(({ managers }) => managers.length === 0).map(({ name }) => name),
    strays: apis.filter(({ organizationId }) => !organizationIds.has(String(organizationId))).map(({ name }) => name),
    wronglyFeatured: organizations.filter((one) =>
      one.featuredApiIds.some((id) => !featurable(one).includes(String(id))),
    ),
    miscounted: organizations.filter((one) => one.apiCount !== apisOf(one).length).map(({ name }) => name),
    logos: logos.sort(),
    repeated: [
      ...organizations.map(({ managers }) => managers.map(idOf)),
      organizations.map(({ nameKey }) => nameKey),
      organizations.flatMap(({ slugs }) => slugs.map(({ text }) => text)),
      apis.map(({ organizationId, nameKey }) => `${String(organizationId)} ${nameKey}`),
      apis.flatMap(({ slugs }) => slugs.map(({ text }) => text)),
      users.map(({ usernameKey }) => usernameKey),
      users.map(({ emailKey }) => emailKey),
    ].flatMap(repeated),
  }).toEqual({
    admins: true,
    dangling: [],
    managerless: [],
    strays: [],
    wronglyFeatured: [],
    miscounted: [],
    logos: attached.sort(),
    repeated: [],
  });
}

function idOf({ _id }: { _id: unknown }): string {
  return String(_id);
}

function repeated(values: readonly string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}
