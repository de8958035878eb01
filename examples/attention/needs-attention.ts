import type { RosterClient, Schemas } from '../../clients/typescript/dist/index.js';

/** What somebody should look at: an API, or its Organization. */
export interface Finding {
  organization: string;
  api: string | null;
  reason: string;
}

/** @param given an Organization, or `{}` for all that the caller may see; by default those that they manage, of an Admin all */
export async function needsAttention(roster: RosterClient, given?: { organizationId?: string }): Promise<Finding[]> {
  const [now, yearAgo] = [new Date(), new Date()];
  yearAgo.setUTCFullYear(now.getUTCFullYear() - 1);
  const { data: me } = await roster.get('/users/{id}', { params: { path: { id: 'me' } } });
  const isAdmin = me.roles?.includes('admin') ?? false;
  const scope = { limit: 100, ...(given ?? (isAdmin ? {} : { managerId: 'me' })) };
  const findings: Finding[] = [];
  const owners = new Map<string, Schemas['OrganizationItem']>();
  const { organizationId: id, ...others } = { organizationId: undefined, ...scope };
  const query = { ...others, ...(id !== undefined && { id }) };
  for await (const one of roster.list('/organizations', { params: { query } })) owners.set(one._id, one);
  async function check(filter: object, reasonOf: (api: Schemas['Api']) => string | false | Promise<string | false>) {
    for await (const api of roster.list('/apis', { params: { query: { ...scope, ...filter } } })) {
      const [owner, reason] = [owners.get(api.organizationId), await reasonOf(api)];
      // Without an owner, both are new.
      if (owner && reason) findings.push({ organization: owner.name, api: api.name, reason });
    }
  }
  const ended = new Map<string, string>();
  await check({ sunsetBefore: now.toISOString() }, async ({ _id, name, sunsetAt, lifecycleStatus }) => {
    ended.set(_id, `its successor ${name} ended on ${sunsetAt}`);
    const params = { path: { id: _id }, query: { limit: 100 } };
    const users: string[] = [];
    for await (const one of roster.list('/apis/{id}/consumers', { params })) users.push(one.name);
    const stage = lifecycleStatus !== 'deprecated' && `its stage is ${lifecycleStatus}`;
    const problems = [stage, users.length > 0 && `it is still used by ${users.join(', ')}`].filter(Boolean);
    return problems.length > 0 && `ended on ${sunsetAt}, but ${problems.join(', and ')}`;
  });
  for (const [successorId, reason] of ended) await check({ successorId }, () => reason);
  await check({ hasContact: false }, ({ organizationId }) => {
    const { contactName, contactEmail, contactPhone, contactUrl } = owners.get(organizationId) ?? {};
    return ![contactName, contactEmail, contactPhone, contactUrl].some(Boolean) && 'nobody is its contact';
  });
  const unchanged = ({ updatedAt }: Schemas['Api']) => `has not changed since ${updatedAt.slice(0, 10)}`;
  await check({ updatedBefore: yearAgo.toISOString() }, unchanged);
  const suspended = new Set<string>();
  const users = { query: { isSuspended: true, limit: 100 } };
  if (isAdmin) for await (const one of roster.list('/users', { params: users })) suspended.add(one._id);
  for (const { name, managerIds } of owners.values())
    if (managerIds.every((managerId) => suspended.has(managerId)))
      findings.push({ organization: name, api: null, reason: 'all its Managers are suspended' });
  return findings;
}
