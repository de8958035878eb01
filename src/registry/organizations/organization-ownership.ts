import type { Types } from 'mongoose';
import type { Ownership } from '../../platform/http/access/access-rules';
import type { LoadContext } from '../../platform/http/access/resources';
import { Organization, OrganizationRecord } from './organization.schema';

/** The ids of an Organization's managers. */
export function managerIdsOf({ managers }: OrganizationRecord): Types.ObjectId[] {
  return managers.map(({ _id }) => _id);
}

/** The `ownership` of a resource in an Organization, for its managers. @returns undefined when that is gone */
export async function organizationOwnership(
  { organizationId }: { readonly organizationId: Types.ObjectId },
  { records }: LoadContext,
): Promise<Ownership | undefined> {
  const organization = await records.of<OrganizationRecord>(Organization.name).get(organizationId);
  return organization && { managerIds: managerIdsOf(organization) };
}
