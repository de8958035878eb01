/** The tables of contract §3–§5. A response may have more than they list: fields, error codes, operations (§7). */

const stamps = { createdBy: 'id', createdAt: 'time', updatedAt: 'time' };
const slugs = { slug: 'text', friendlySlugs: 'slugs' };
const etag = { 'etag?': 'text' };
const described = { _id: 'id', name: 'text', url: 'text', description: 'text', ...slugs, ...stamps, ...etag };
const contact = {
  ...{ contactName: 'text or null', contactEmail: 'text or null' },
  ...{ contactPhone: 'text or null', contactUrl: 'text or null' },
};
const account = { _id: 'id', username: 'text', companyName: 'text', createdAt: 'time' };
const session = { _id: 'id', createdAt: 'time', lastUsedAt: 'time', expiresAt: 'time', userAgent: 'text or null' };
const apiKey = {
  ...{ _id: 'id', name: 'text', scope: 'text', expiresAt: 'text or null', hint: 'text' },
  ...{ lastUsedAt: 'time or null', createdAt: 'time', createdBy: 'id' },
};
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
  user: {
    ...{ ...account, email: 'text', roles: 'texts', updatedAt: 'time', ...etag },
    ...{ isSuspended: 'boolean', suspendedAt: 'time or null', externalId: 'text or null' },
  },
  api: {
    ...{ ...described, organizationId: 'id', lifecycleStatus: 'text', isPublic: 'boolean' },
    ...{
      documentationUrl: 'text or null',
      definitionUrl: 'text or null',
      definitionType: 'text or null',
      tags: 'texts',
    },
    ...contact,
  },
  session,
  newSession: { ...session, ...token, user: 'user' },
  token,
  file: {
    ...{ _id: 'id', fileName: 'text', contentType: 'text', size: 'integer', createdBy: 'id', createdAt: 'time' },
    organizationId: 'id or null',
  },
  apiKey,
  newApiKey: { ...apiKey, key: 'key' },
  event: {
    ...{
      _id: 'id',
      type: 'text',
      resourceId: 'id',
      resourceName: 'text or null',
      changes: 'changes',
      createdAt: 'time',
    },
    ...{ organizationId: 'id or null', userId: 'id or null', actorId: 'id or null', actorUsername: 'text or null' },
    ...{ apiKeyId: 'id or null', requestId: 'text or null' },
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
  '/users/:id/api-keys': ['apiKey', 'GET', 'POST'],
  '/users/:id/api-keys/:keyId': ['apiKey', 'DELETE', 'GET'],
  '/organizations': ['organization', 'GET', 'POST'],
  '/organizations/:id': ['organization', 'DELETE', 'GET', 'PUT'],
  '/organizations/:id/managers': ['manager', 'GET', 'POST'],
  '/organizations/:id/managers/:managerId': ['manager', 'DELETE', 'GET'],
  '/organizations/:id/apis': ['api', 'GET', 'POST'],
  '/organizations/:id/events': ['event', 'GET'],
  '/apis': ['api', 'GET'],
  '/apis/:id': ['api', 'DELETE', 'GET', 'PUT'],
  '/files': ['file', 'GET', 'POST'],
  '/files/:id': ['file', 'DELETE', 'GET'],
  '/events': ['event', 'GET'],
};

/**
 * The error codes by HTTP status.
 * @type {Record<string, number[]>}
 */
export const CODES = {
  400: [1001, 1002, 1006, 1024],
  401: [1100, 1101, 1102, 1103, 1104],
  403: [1200, 1201, 1202, 1203],
  404: [1234, 1301, 1302, 1303, 1304, 1305, 1306, 1307],
  405: [1400],
  408: [1006],
  409: [1501, 1502, 1503, 1504, 1505, 1506, 1507, 1508, 1509, 1510, 1511, 1512, 1513],
  412: [1600],
  413: [1004],
  414: [1006],
  415: [1003],
  417: [1006],
  429: [1700],
  431: [1006],
  500: [1900],
  503: [1901, 1902, 1903, 1904],
};
