/** The stored records and how responses show them: the same documents and fields as Roster's. */

/** The fields of a User that say who the caller is. */
export const ACCOUNT_FIELDS = { username: 1, roles: 1, 'sessions._id': 1, 'sessions.expiresAt': 1 };

export const USER_FIELDS = { username: 1, companyName: 1, email: 1, roles: 1, createdAt: 1, updatedAt: 1 };

export const ORGANIZATION_FIELDS = {
  ...{ name: 1, url: 1, description: 1, slug: 1, 'managers._id': 1, featuredApiIds: 1, organizationLogoFileId: 1 },
  ...{ createdBy: 1, createdAt: 1, updatedAt: 1, revision: 1 },
};

/** The caller of a request, by a User with the `ACCOUNT_FIELDS`; undefined if the session has ended. */
export function accountOf(user, sessionId, requestId) {
  const session = user?.sessions.find((one) => one._id.toHexString() === sessionId);
  if (!session || session.expiresAt.getTime() <= Date.now()) return undefined;
  return { _id: user._id, username: user.username, isAdmin: user.roles.includes('admin'), requestId };
}

export function toUser(user) {
  return {
    _id: user._id.toHexString(),
    username: user.username,
    companyName: user.companyName,
    email: user.email,
    roles: user.roles,
    createdAt: user.createdAt.toISOString(),
    updatedAt: user.updatedAt.toISOString(),
  };
}

export function toOrganization(organization) {
  const { slug } = organization;
  return {
    _id: organization._id.toHexString(),
    createdBy: organization.createdBy.toHexString(),
    createdAt: organization.createdAt.toISOString(),
    updatedAt: organization.updatedAt.toISOString(),
    name: organization.name,
    url: organization.url,
    description: organization.description,
    slug: slug.text,
    managerIds: organization.managers.map((manager) => manager._id.toHexString()),
    friendlySlugs: { slug: { base: slug.base, index: slug.index } },
    organizationLogoFileId: organization.organizationLogoFileId?.toHexString() ?? null,
    featuredApiIds: organization.featuredApiIds.map((id) => id.toHexString()),
  };
}

export const etagOf = ({ revision }) => `"${revision}"`;

/** Who may change an Organization. */
export function mayChange(account, organization) {
  return account.isAdmin || organization.managers.some(({ _id }) => _id.equals(account._id));
}

/** The fields that a body sets, with what is derived from them. */
export function fieldsOf({ name, url, description = '' }) {
  const fields = { name: name.trim().normalize('NFC'), url: url.trim(), description: description.trim() };
  const searchText = [fields.name, fields.url, fields.description].join('\n').toLowerCase();
  const nameKey = fields.name.normalize('NFKC').replace(/\s+/g, ' ').toLowerCase();
  return { ...fields, nameKey, searchText, updatedAt: new Date() };
}

export function slugBase(name) {
  const ascii = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return ascii.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'organization';
}

export const slugOf = (base, index) => ({ text: index === 0 ? base : `${base}-${index}`, base, index });

/** A new Organization whose only manager is the caller. */
export function newOrganization(fields, slug, { _id: createdBy }) {
  const createdAt = fields.updatedAt;
  const managers = [{ _id: createdBy, createdBy, createdAt }];
  const empty = { featuredApiIds: [], organizationLogoFileId: null, referenceCount: 0, revision: 0 };
  return { ...fields, ...empty, slug, slugs: [slug], managers, createdBy, createdAt };
}

/** What a write did to an Organization or a Manager of it, as Roster stores it. */
export function newEvent({ _id: actorId, username, requestId }, type, organization, event) {
  const actor = { actorId, actorUsername: username, apiKeyId: null, requestId };
  const { _id: organizationId, name: resourceName } = organization;
  const subject = { resourceId: organizationId, resourceName, organizationId, readerIds: [organizationId] };
  return { ...actor, type, ...subject, userId: null, changes: [], createdAt: new Date(), ...event };
}

/** The filter of a list. */
export function pageFilter(visible, q) {
  if (q === undefined) return visible;
  return { ...visible, searchText: { $regex: q.toLowerCase().replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&') } };
}

/** The response with a page of these records, of which one more than the limit has been read. */
export function pageOf(records, limit, toResponse, url, reply) {
  const data = records.slice(0, limit).map(toResponse);
  if (records.length > limit) {
    const [path, query] = url.split('?', 2);
    const parameters = new URLSearchParams(query);
    parameters.delete('skip');
    parameters.set('after', data.at(-1)._id);
    void reply.header('link', `<${path}?${parameters.toString()}>; rel="next"`);
  }
  return { status: 'success', data };
}
