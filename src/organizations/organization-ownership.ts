import type { Types } from 'mongoose';
import type { Ownership } from '../auth/access-rules';
import type { LoadContext } from '../auth/resources';
import { Organization, OrganizationRecord } from './organization.schema';

/** The ids of an Organization's managers. */
export function managerIdsOf({ managers }: OrganizationRecord): Types.ObjectId[] {
  return managers.map(({ _id }) => _id);
}

/**
 * Who has rights on a record that belongs to an Organization: its managers. For the `ownership` of such a resource.
 *
 * @returns undefined when the Organization is gone, and the record with it
 */
export async function organizationOwnership(
  { organizationId }: { readonly organizationId: Types.ObjectId },
  { records }: LoadContext,
): Promise<Ownership | undefined> {
  const organization = await records.find<OrganizationRecord>(Organization.name, organizationId);
  return organization && { managerIds: managerIdsOf(organization) };
}
