/** The tables of contract §3–§5. A response may have more than they list: fields, error codes, operations (§7). */

const time = 'time';
const stamps = { createdBy: 'id', createdAt: time, updatedAt: time };
const slugs = { slug: 'text', friendlySlugs: 'slugs' };
const described = { _id: 'id', name: 'text', url: 'text', description: 'text', ...slugs, ...stamps };
const user = { _id: 'id', username: 'text', companyName: 'text', email: 'text', roles: 'texts' };
const session = { _id: 'id', createdAt: time, lastUsedAt: time, expiresAt: time, userAgent: 'text or null' };
const token = { accessToken: 'text', tokenType: 'text', expiresIn: 'integer', refreshToken: 'text' };

/**
 * The fields of each record, and what they hold. A field whose name ends with `?` may be absent.
 * @type {Readonly<Record<string, Readonly<Record<string, string>>>>}
 */
export const FIELDS = Object.freeze({
  organization: { ...described, managerIds: 'ids', featuredApiIds: 'ids', organizationLogoFileId: 'id or null' },
  manager: { _id: 'id', username: 'text', companyName: 'text', 'email?': 'text', createdBy: 'id', createdAt: time },
  user: { ...user, createdAt: time, updatedAt: time },
  api: {
    ...{ ...described, organizationId: 'id', lifecycleStatus: 'text', isPublic: 'boolean' },
    documentationUrl: 'text or null',
  },
  session,
  newSession: { ...session, ...token, user: 'user' },
  token,
  file: {
    ...{ _id: 'id', fileName: 'text', contentType: 'text', size: 'integer', createdBy: 'id', createdAt: time },
    organizationId: 'id or null',
  },
});

/**
 * The paths, the kind of record there, and the methods in alphabetical order, without HEAD and OPTIONS.
 * @type {Readonly<Record<string, {kind: string, methods: readonly string[]}>>}
 */
export const RESOURCES = Object.freeze({
  '/sessions': { kind: 'session', methods: ['GET', 'POST'] },
  '/sessions/:id': { kind: 'session', methods: ['DELETE', 'GET'] },
  '/tokens': { kind: 'token', methods: ['POST'] },
  '/users': { kind: 'user', methods: ['GET', 'POST'] },
  '/users/:id': { kind: 'user', methods: ['DELETE', 'GET', 'PUT'] },
  '/organizations': { kind: 'organization', methods: ['GET', 'POST'] },
  '/organizations/:id': { kind: 'organization', methods: ['DELETE', 'GET', 'PUT'] },
  '/organizations/:id/managers': { kind: 'manager', methods: ['GET', 'POST'] },
  '/organizations/:id/managers/:managerId': { kind: 'manager', methods: ['DELETE', 'GET'] },
  '/organizations/:id/apis': { kind: 'api', methods: ['GET', 'POST'] },
  '/apis': { kind: 'api', methods: ['GET'] },
  '/apis/:id': { kind: 'api', methods: ['DELETE', 'GET', 'PUT'] },
  '/files': { kind: 'file', methods: ['POST'] },
  '/files/:id': { kind: 'file', methods: ['DELETE', 'GET'] },
});

const ROUTES = Object.entries(RESOURCES).map(([path, resource]) => ({
  ...resource,
  single: /:\w+$/.test(path),
  pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`),
}));

/**
 * @param {string} method
 * @param {string} route a path without its query
 * @returns {{kind: string, single: boolean} | undefined} what the operation is about; nothing if it is not in the table
 */
export const resourceOf = (method, route) =>
  ROUTES.find(({ pattern, methods }) => pattern.test(route) && methods.includes(method === 'HEAD' ? 'GET' : method));

const CODES = {
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

/**
 * @param {number} code
 * @returns {number[]} the HTTP statuses of an error code; none if the code is not in the table
 */
export const statusesOf = (code) =>
  Object.keys(CODES)
    .map(Number)
    .filter((status) => CODES[status].includes(code));
