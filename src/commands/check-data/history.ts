import type { Connection } from 'mongoose';
import { Api } from '../../registry/apis/api.schema';
import { Event } from '../../registry/events/event.schema';
import { Organization } from '../../registry/organizations/organization.schema';
import { User } from '../../registry/users/user.schema';
import { byId, type Check, type Stored } from './finding';

/** The records whose deletion leaves an Event; that of an Organization says so of its APIs too. */
const MODELS = [User.name, Organization.name, Api.name];
const DELETIONS = MODELS.map((model) => `${model.toLowerCase()}.deleted`);

/** A record of whose creation there is an Event exists, or there is one of its deletion, which is kept for longer. */
export const historyChecks: Check[] = MODELS.map((model) => async (records, connection) => {
  const isCreation = ({ type }: Event): boolean => type === `${model.toLowerCase()}.created`;
  const created = (records as unknown as readonly Event[]).filter(isCreation);
  const ids = created.map(({ resourceId }) => resourceId);
  const known = await byId(connection, model, ids);
  const missing = created.filter(({ resourceId }) => !known.has(String(resourceId)));
  const deleted = await deletedOf(missing, connection);
  return (record) => {
    const { resourceId, organizationId } = record as Stored & Event;
    const isDeleted = [resourceId, organizationId].some((id) => deleted.has(String(id)));
    if (isDeleted || !missing.some(({ _id }) => _id === record._id)) return [];
    return [`no ${model} has the id ${String(resourceId)}, and no Event says that it was deleted`];
  };
});

/** The ids of the records, and of their Organizations, whose deletion has an Event. */
async function deletedOf(events: readonly Event[], connection: Connection): Promise<Set<string>> {
  const $in = events.flatMap(({ resourceId, organizationId }) => [resourceId, organizationId]).filter((id) => id);
  const deleted = new Set<string>();
  if ($in.length === 0) return deleted;
  const found = connection.model<Event>(Event.name).find({ resourceId: { $in } }, { type: 1, resourceId: 1 });
  // A record may have many Events: read them one by one.
  await found
    .lean<Event[]>()
    .cursor()
    .eachAsync(({ type, resourceId }) => void (DELETIONS.includes(type) && deleted.add(String(resourceId))));
  return deleted;
}
