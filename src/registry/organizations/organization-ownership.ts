import type { Types } from 'mongoose';
import type { Ownership } from '../../platform/http/access/access-rules';
import type { Records } from '../../platform/records/records';
import type { OrganizationRecord } from './organization.schema';

/** The ids of an Organization's managers. */
export function managerIdsOf({ managers }: OrganizationRecord): Types.ObjectId[] {
  return managers.map(({ _id }) => _id);
}

/** The `ownership` of a record of an Organization, for its managers. @returns undefined when that is gone */
export async function organizationOwnership(
  organizations: Records<OrganizationRecord>,
  { organizationId }: { readonly organizationId: Types.ObjectId },
): Promise<Ownership | undefined> {
  const organization = await organizations.get(organizationId);
  return organization && { managerIds: managerIdsOf(organization) };
}
