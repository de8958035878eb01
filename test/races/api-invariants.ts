import type { Api } from '../../src/apis/api.schema';
import type { Organization } from '../../src/organizations/organization.schema';
import { Service } from '../support/service';

/** Fails unless what is stored of Apis keeps the rules that no race may break (contract §1.8, §3). */
export async function expectSoundApis(service: Service): Promise<void> {
  const apis = await service.model<Api>('Api').find().lean<Api[]>();
  const organizations = await service.model<Organization>('Organization').find().lean<Organization[]>();
  expect({
    strays: apis
      .filter(({ organizationId }) => !organizations.some(({ _id }) => _id.equals(organizationId)))
      .map(({ name }) => name),
    wronglyFeatured: organizations.flatMap((organization) => wronglyFeatured(organization, apis)),
    miscounted: organizations
      .filter((organization) => organization.apiCount !== ofOrganization(organization, apis).length)
      .map(({ name }) => name),
    names: repeated(apis.map(({ organizationId, nameKey }) => `${String(organizationId)} ${nameKey}`)),
    slugs: repeated(apis.flatMap(({ slugs }) => slugs.map(({ text }) => text))),
  }).toEqual({ strays: [], wronglyFeatured: [], miscounted: [], names: [], slugs: [] });
}

/** The featured Apis of an Organization that are not there, not public, or not its own. */
function wronglyFeatured(organization: Organization, apis: readonly Api[]): string[] {
  const open = ofOrganization(organization, apis).filter(({ isPublic }) => isPublic);
  return organization.featuredApiIds.filter((id) => !open.some(({ _id }) => _id.equals(id))).map(String);
}

function ofOrganization({ _id }: Pick<Organization, '_id'>, apis: readonly Api[]): Api[] {
  return apis.filter(({ organizationId }) => organizationId.equals(_id));
}

function repeated(values: readonly string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}
