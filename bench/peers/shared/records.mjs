/** The stored records and how responses show them: the same documents and fields as Roster's. */

/** How often a write is attempted. */
const MAX_ATTEMPTS = 5;

/** The fields of a User that say who the caller is. */
export const ACCOUNT_FIELDS = { roles: 1, 'sessions._id': 1, 'sessions.expiresAt': 1 };

export const USER_FIELDS = { username: 1, companyName: 1, email: 1, roles: 1, createdAt: 1, updatedAt: 1 };

export const ORGANIZATION_FIELDS = {
  ...{ name: 1, url: 1, description: 1, slug: 1, 'managers._id': 1, featuredApiIds: 1, organizationLogoFileId: 1 },
  ...{ createdBy: 1, createdAt: 1, updatedAt: 1, revision: 1 },
};

/** What only the services of this file read: ids, dates and texts of stored records. @typedef {any} Stored */

/**
 * @param {Stored} user with the `ACCOUNT_FIELDS`
 * @param {string} sessionId
 * @returns {{_id: Stored, isAdmin: boolean} | undefined} undefined if the session has ended
 */
export function accountOf(user, sessionId) {
  const session = user?.sessions.find((/** @type {Stored} */ one) => one._id.toHexString() === sessionId);
  if (!session || session.expiresAt.getTime() <= Date.now()) return undefined;
  return { _id: user._id, isAdmin: user.roles.includes('admin') };
}

/** @param {Stored} user */
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

/** @param {Stored} organization with the `ORGANIZATION_FIELDS` */
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
    managerIds: organization.managers.map((/** @type {Stored} */ manager) => manager._id.toHexString()),
    friendlySlugs: { slug: { base: slug.base, index: slug.index } },
    organizationLogoFileId: organization.organizationLogoFileId?.toHexString() ?? null,
    featuredApiIds: organization.featuredApiIds.map((/** @type {Stored} */ id) => id.toHexString()),
  };
}

/** @param {{revision: number}} record */
export function etagOf({ revision }) {
  return `"${revision}"`;
}

/**
 * Who may change an Organization.
 *
 * @param {{_id: Stored, isAdmin: boolean}} account
 * @param {Stored} organization
 */
export function mayChange(account, organization) {
  return account.isAdmin || organization.managers.some((/** @type {Stored} */ { _id }) => _id.equals(account._id));
}

/**
 * The fields that a body sets, with what is derived from them.
 *
 * @param {{name: string, url: string, description?: string}} body
 */
export function fieldsOf({ name, url, description = '' }) {
  const fields = { name: name.trim().normalize('NFC'), url: url.trim(), description: description.trim() };
  const searchText = [fields.name, fields.url, fields.description].join('\n').toLowerCase();
  return { ...fields, nameKey: uniqueKey(fields.name), searchText, updatedAt: new Date() };
}

/** @param {string} name */
function uniqueKey(name) {
  return name.normalize('NFKC').replace(/\s+/g, ' ').toLowerCase();
}

/** @param {string} name */
export function slugBase(name) {
  const ascii = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return ascii.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'organization';
}

/**
 * @param {string} base
 * @param {number} index
 */
export function slugOf(base, index) {
  return { text: index === 0 ? base : `${base}-${index}`, base, index };
}

/**
 * A new Organization whose only manager is the caller.
 *
 * @param {ReturnType<typeof fieldsOf>} fields
 * @param {ReturnType<typeof slugOf>} slug
 * @param {{_id: Stored}} account
 */
export function newOrganization(fields, slug, { _id: createdBy }) {
  const createdAt = fields.updatedAt;
  const managers = [{ _id: createdBy, createdBy, createdAt }];
  const empty = { featuredApiIds: [], organizationLogoFileId: null, apiCount: 0, referenceCount: 0, revision: 0 };
  return { ...fields, ...empty, slug, slugs: [slug], managers, createdBy, createdAt };
}

/**
 * Writes with a free slug: the plain one first, and after a duplicate key the next index of the base.
 *
 * @template T
 * @param {string} base
 * @param {object} reads called only after a duplicate key
 * @param {() => Promise<void>} reads.refuseTaken throws if another Organization has the name
 * @param {() => Promise<number | undefined>} reads.highestIndex of the base
 * @param {(slug: ReturnType<typeof slugOf>) => Promise<T>} write
 */
export async function writeUnderSlug(base, { refuseTaken, highestIndex }, write) {
  for (let index = 0; ; index = ((await highestIndex()) ?? -1) + 1) {
    try {
      return await write(slugOf(base, index));
    } catch (error) {
      if (/** @type {Stored} */ (error).code !== 11000) throw error;
      await refuseTaken();
    }
  }
}

/**
 * Writes a record at the revision that was read. If another request was first, it is read again.
 *
 * @template R, T
 * @param {R} record
 * @param {(record: R) => Promise<T | undefined>} write returns undefined if the record has another revision
 * @param {() => Promise<R>} read
 * @returns {Promise<T | undefined>} undefined after five attempts
 */
export async function writeAtRevision(record, write, read) {
  for (let attempts = 1; attempts <= MAX_ATTEMPTS; attempts += 1) {
    if (attempts > 1) record = await read();
    const written = await write(record);
    if (written) return written;
  }
  return undefined;
}

/** @param {string} q @returns {{searchText: {$regex: string}}} */
export function searchFilter(q) {
  return { searchText: { $regex: q.toLowerCase().replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&') } };
}

/** @param {string} url @param {{_id: string}[]} shown the records of the page @returns {string} the link to the next page */
export function nextLink(url, shown) {
  const [path, query] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.delete('skip');
  parameters.set('after', String(shown.at(-1)?._id));
  return `<${path}?${parameters.toString()}>; rel="next"`;
}
