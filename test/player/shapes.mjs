/** The records of contract §3: their exact members, and where each kind of record is served. */

const SLUGGED = ['slug', 'friendlySlugs'];
const STAMPS = ['createdAt', 'updatedAt'];

/**
 * Members of each record. A name that ends with `?` may be absent.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const SHAPES = Object.freeze({
  organization: [
    ...['_id', 'name', 'url', 'description', ...SLUGGED, 'managerIds', 'featuredApiIds'],
    ...['organizationLogoFileId', 'createdBy', ...STAMPS],
  ],
  manager: ['_id', 'username', 'companyName', 'email?', 'createdBy', 'createdAt'],
  user: ['_id', 'username', 'companyName', 'email', 'roles', ...STAMPS],
  api: [
    ...['_id', 'organizationId', 'name', 'url', 'description', 'lifecycleStatus', 'isPublic', 'documentationUrl'],
    ...[...SLUGGED, 'createdBy', ...STAMPS],
  ],
  session: ['_id', 'createdAt', 'lastUsedAt', 'expiresAt', 'userAgent'],
  newSession: [
    ...['_id', 'createdAt', 'lastUsedAt', 'expiresAt', 'userAgent'],
    ...['accessToken', 'tokenType', 'expiresIn', 'refreshToken', 'user'],
  ],
  token: ['accessToken', 'tokenType', 'expiresIn', 'refreshToken'],
  file: ['_id', 'fileName', 'contentType', 'size', 'createdBy', 'createdAt', 'organizationId'],
});

/** Collections and what stands in them; `one` tells whether a single record has a GET. */
const COLLECTIONS = [
  { path: /^\/organizations$/, kind: 'organization', one: true },
  { path: /^\/organizations\/[^/]+\/managers$/, kind: 'manager', one: true },
  { path: /^\/organizations\/[^/]+\/apis$/, kind: 'api', one: true },
  { path: /^\/apis$/, kind: 'api', one: true },
  { path: /^\/users$/, kind: 'user', one: true },
  { path: /^\/sessions$/, kind: 'session', one: true },
  { path: /^\/files$/, kind: 'file', one: true },
  { path: /^\/tokens$/, kind: 'token', one: false },
];

const SINGLES = [
  { path: /^\/organizations\/[^/]+$/, kind: 'organization' },
  { path: /^\/organizations\/[^/]+\/managers\/[^/]+$/, kind: 'manager' },
  { path: /^\/apis\/[^/]+$/, kind: 'api' },
  { path: /^\/users\/[^/]+$/, kind: 'user' },
  { path: /^\/sessions\/[^/]+$/, kind: 'session' },
  { path: /^\/files\/[^/]+$/, kind: 'file' },
];

/**
 * @param {string} path a request path without its query
 * @returns {{kind: string, one: boolean} | undefined} the collection that stands there
 */
export const collectionAt = (path) => COLLECTIONS.find((collection) => collection.path.test(path));

/**
 * @param {string} path a request path without its query
 * @returns {{kind: string} | undefined} the single record that stands there
 */
export const singleAt = (path) => SINGLES.find((single) => single.path.test(path));
