/** The tables of contract §3–§5. A response may have more than they list: fields, error codes, operations (§7). */

const stamps = { createdBy: 'id', createdAt: 'time', updatedAt: 'time' };
const slugs = { slug: 'text', friendlySlugs: 'slugs' };
const described = { _id: 'id', name: 'text', url: 'text', description: 'text', ...slugs, ...stamps };
const contact = {
  ...{ contactName: 'text or null', contactEmail: 'text or null' },
  ...{ contactPhone: 'text or null', contactUrl: 'text or null' },
};
const account = { _id: 'id', username: 'text', companyName: 'text', createdAt: 'time' };
const session = { _id: 'id', createdAt: 'time', lastUsedAt: 'time', expiresAt: 'time', userAgent: 'text or null' };
const token = { accessToken: 'text', tokenType: 'text', expiresIn: 'integer', refreshToken: 'text' };

/**
 * The types of the fields of each record. A field whose name ends with `?` may be absent.
 * @type {Record<string, Record<string, string>>}
 */
export const FIELDS = {
  organization: {
    ...described,
    managerIds: 'ids',
    featuredApiIds: 'ids',
    organizationLogoFileId: 'id or null',
    ...contact,
  },
  manager: { ...account, 'email?': 'text', createdBy: 'id' },
  user: { ...account, email: 'text', roles: 'texts', updatedAt: 'time' },
  api: {
    ...{ ...described, organizationId: 'id', lifecycleStatus: 'text', isPublic: 'boolean' },
    documentationUrl: 'text or null',
    ...contact,
  },
  session,
  newSession: { ...session, ...token, user: 'user' },
  token,
  file: {
    ...{ _id: 'id', fileName: 'text', contentType: 'text', size: 'integer', createdBy: 'id', createdAt: 'time' },
    organizationId: 'id or null',
  },
};

/**
 * The kind of record at each path, and the methods without HEAD and OPTIONS.
 * @type {Record<string, string[]>}
 */
export const RESOURCES = {
  '/sessions': ['session', 'GET', 'POST'],
  '/sessions/:id': ['session', 'DELETE', 'GET'],
  '/tokens': ['token', 'POST'],
  '/users': ['user', 'GET', 'POST'],
  '/users/:id': ['user', 'DELETE', 'GET', 'PUT'],
  '/organizations': ['organization', 'GET', 'POST'],
  '/organizations/:id': ['organization', 'DELETE', 'GET', 'PUT'],
  '/organizations/:id/managers': ['manager', 'GET', 'POST'],
  '/organizations/:id/managers/:managerId': ['manager', 'DELETE', 'GET'],
  '/organizations/:id/apis': ['api', 'GET', 'POST'],
  '/apis': ['api', 'GET'],
  '/apis/:id': ['api', 'DELETE', 'GET', 'PUT'],
  '/files': ['file', 'GET', 'POST'],
  '/files/:id': ['file', 'DELETE', 'GET'],
};

/**
 * The error codes by HTTP status.
 * @type {Record<string, number[]>}
 */
export const CODES = {
  400: [1001, 1002, 1006, 1024],
  401: [1100, 1101, 1102, 1103, 1104],
  403: [1200],
  404: [1234, 1301, 1302, 1303, 1304, 1305, 1306],
  405: [1400],
  408: [1006],
  409: [1501, 1502, 1503, 1504, 1505, 1506, 1507, 1508, 1509, 1510, 1511],
  412: [1600],
  413: [1004],
  414: [1006],
  415: [1003],
  417: [1006],
  429: [1700],
  431: [1006],
  500: [1900],
  503: [1901, 1902, 1903],
};
