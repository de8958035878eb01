import { ErrorName } from '../../src/platform/base/errors/api-error';
import { IdentityProvider } from '../../src/platform/http/access/identity-provider';
import { Overload } from '../../src/platform/operations/limits/overload';
import { addApis, apiBody, createApi } from '../registry/apis/api-records';
import { keysOf, postKey, withKey } from '../registry/api-keys/keys';
import { upload, uploaded } from '../registry/files/uploads';
import { ApiResponse } from '../support/client';
import { meanwhile } from '../support/meanwhile';
import { createOrganization, NOTHING, organizationBody } from '../support/records';
import { AUDIENCE, forge, newKey } from '../platform/http/identity-provider/provider';
import { exchange, RawResponse } from '../platform/http/raw-client';
import { withService, World } from './world';

/** What the table says of a response. */
export type Shown = Pick<ApiResponse, 'status' | 'body' | 'headers'>;

type Row = (world: World) => Promise<Shown>;

const HEAD = 'Host: localhost\r\n';
const shown = (response: RawResponse): Shown => ({ ...response, body: response.json() });
const raw =
  (text: string): Row =>
  async ({ port }) =>
    shown(await exchange(port, text));
const organizationPath = ({ organization }: World): string => `/organizations/${organization._id}`;

/** Nobody listens there. */
const ISSUER = 'http://127.0.0.1:9';
const key = newKey('key');

/** A request with a token of an identity provider that is out of reach. */
const withToken = (): Promise<Shown> =>
  withService({ OIDC_ISSUER: ISSUER, OIDC_AUDIENCE: AUDIENCE }, ({ nobody }) =>
    nobody.get('/users', { authorization: `Bearer ${forge(ISSUER, key)}` }),
  );

/** Requests that the parser, the path or the account refuses. */
const early = {
  unusableRequest: raw('GET / HTTP/1.1\r\n\r\n'),
  requestTimeout: async ({ endless }) => shown(await endless.response()),
  uriTooLong: raw(`GET /${'a'.repeat(8192)} HTTP/1.1\r\n${HEAD}\r\n`),
  expectationFailed: raw(`GET / HTTP/1.1\r\n${HEAD}Expect: tea\r\n\r\n`),
  headersTooLarge: raw(`GET / HTTP/1.1\r\n${HEAD}X: ${'a'.repeat(17_000)}\r\n\r\n`),
  pathNotFound: ({ manager }) => manager.get('/nowhere'),
  methodNotAllowed: ({ manager }) => manager.send({ method: 'PATCH', path: '/users' }),
  noCredentials: ({ service }) => service.nobody.get('/users'),
  tokenUnusable: ({ service }) => service.nobody.get('/users', { authorization: 'Bearer x' }),
  accountGone: async ({ service }) => {
    const gone = await service.account();
    await service.admin.delete(`/users/${gone.id}`);
    return gone.get('/users');
  },
  wrongLogin: ({ service }) => service.nobody.post('/sessions', { username: 'admin', password: 'wrong' }),
  refreshTokenUnusable: ({ service }) => service.nobody.post('/tokens', { refreshToken: 'x' }),
  apiKeyForbidden: async ({ manager }) => (await withKey(manager)).program.get('/sessions'),
  suspended: async ({ service }) => {
    const { id, password, user } = await service.registered();
    await service.admin.put(`/users/${id}`, { ...user, isSuspended: true });
    return service.nobody.post('/sessions', { username: user.username, password });
  },
  noAccount: () => {
    jest.spyOn(IdentityProvider.prototype, 'keyFor').mockResolvedValueOnce(key.publicKey as never);
    return withToken();
  },
  forbidden: (world) => world.stranger.delete(organizationPath(world)),
} satisfies Partial<Record<ErrorName, Row>>;

/** Requests that name nothing, or whose query or body is refused. */
const refused = {
  organizationNotFound: ({ manager }) => manager.get(`/organizations/${NOTHING}`),
  userNotFound: ({ manager }) => manager.get(`/users/${NOTHING}`),
  apiNotFound: ({ manager }) => manager.get(`/apis/${NOTHING}`),
  managerNotFound: (world) => world.manager.get(`${organizationPath(world)}/managers/${NOTHING}`),
  fileNotFound: ({ manager }) => manager.get(`/files/${NOTHING}`),
  sessionNotFound: ({ manager }) => manager.get(`/sessions/${NOTHING}`),
  apiKeyNotFound: ({ manager }) => manager.get(`${keysOf(manager)}/${NOTHING}`),
  invalidQuery: ({ manager }) => manager.get('/users?limit=0'),
  unsupportedMediaType: ({ manager }) => manager.post('/organizations', '{}', { 'content-type': 'text/plain' }),
  bodyTooLarge: ({ manager }) => manager.post('/organizations', `{"name":"${'a'.repeat(65_536)}"}`),
  unusableBody: ({ manager }) => manager.post('/organizations', '{'),
  invalidContent: ({ manager }) => manager.post('/organizations', {}),
} satisfies Partial<Record<ErrorName, Row>>;

/** Requests that what is stored refuses. */
const conflicts = {
  organizationNameTaken: ({ manager, organization: { name } }) =>
    manager.post('/organizations', organizationBody({ name })),
  usernameTaken: ({ service: { admin }, manager: { id, user } }) =>
    admin.put(`/users/${id}`, { ...user, username: admin.user.username.toUpperCase() }),
  emailTaken: ({ service: { admin }, manager: { id, user } }) =>
    admin.put(`/users/${id}`, { ...user, email: admin.user.email.toUpperCase() }),
  managerExists: (world) => world.manager.post(`${organizationPath(world)}/managers`, { userId: world.manager.id }),
  apiNameTaken: async (world) => {
    const { name } = await createApi(world.manager, world.organization._id);
    return world.manager.post(`${organizationPath(world)}/apis`, apiBody({ name }));
  },
  lastManager: (world) => world.manager.delete(`${organizationPath(world)}/managers/${world.manager.id}`),
  lastAdmin: ({ service: { admin } }) => admin.delete(`/users/${admin.id}`),
  tooMany: async ({ manager, service }) => {
    const organization = await createOrganization(manager);
    await addApis(service, organization, 1000);
    return manager.post(`/organizations/${organization._id}/apis`, apiBody());
  },
  externalIdTaken: async ({ service: { admin }, manager: { id, user } }) => {
    await admin.put(`/users/${admin.id}`, { ...admin.user, externalId: 'taken' });
    return admin.put(`/users/${id}`, { ...user, externalId: 'taken' });
  },
  fileInUse: async ({ manager }) => {
    const { _id } = await uploaded(manager);
    await createOrganization(manager, { organizationLogoFileId: _id });
    return manager.delete(`/files/${_id}`);
  },
  tooManyFiles: async ({ stranger }) => {
    for (let files = 0; files < 20; files += 1) await uploaded(stranger);
    return upload(stranger);
  },
  tooManyApiKeys: async ({ stranger }) => {
    for (let keys = 0; keys < 20; keys += 1) await withKey(stranger);
    return postKey(stranger);
  },
  concurrentChange: ({ service, stranger }) => {
    const users = service.connection.db!.collection('users');
    const rival = (): Promise<unknown> => users.updateMany({}, { $inc: { revision: 1 } });
    const body = stranger.userBody({ companyName: 'Slow' });
    return meanwhile(service, 'before every write', rival, () => stranger.put(`/users/${stranger.id}`, body));
  },
  preconditionFailed: (world) => world.manager.delete(organizationPath(world), { 'if-match': '"x"' }),
} satisfies Partial<Record<ErrorName, Row>>;

/** Requests that come at the wrong time. */
const states = {
  tooManyRequests: () =>
    withService({ LOGIN_RATE_LIMIT_PER_MINUTE: '1' }, async ({ nobody }) => {
      await nobody.post('/sessions', { username: 'nobody-here', password: 'wrong' });
      return nobody.post('/sessions', { username: 'nobody-here', password: 'wrong' });
    }),
  unexpected: ({ service, manager }) => {
    service.afterGuards.next(() => Promise.reject(new Error('an error of the inside')));
    return manager.get('/users');
  },
  databaseUnavailable: ({ service }) =>
    withService({ MONGODB_URI: service.databaseUri }, async (other) => {
      await other.connection.close();
      return other.admin.get('/users');
    }),
  providerUnavailable: () => withToken(),
  maintenance: () => withService({ MAINTENANCE: 'on' }, ({ nobody }) => nobody.get('/users')),
  overloaded: async ({ manager, service }) => {
    const overload = jest.replaceProperty(service.app.get(Overload, { strict: false }), 'present', true);
    const response = await manager.get('/users');
    overload.restore();
    return response;
  },
} satisfies Partial<Record<ErrorName, Row>>;

/** A request for each error of the table (src/registry/errors.ts). */
export const errorRows: Readonly<Record<ErrorName, Row>> = { ...refused, ...conflicts, ...states, ...early };
