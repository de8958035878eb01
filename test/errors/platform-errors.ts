import { ErrorName } from '../../src/platform/base/errors/api-error';
import { IdentityProvider } from '../../src/platform/http/access/identity-provider';
import { Overload } from '../../src/platform/operations/limits/overload';
import { withKey } from '../registry/api-keys/keys';
import { ApiResponse } from '../support/client';
import { meanwhile } from '../support/meanwhile';
import { AUDIENCE, forge, newKey } from '../platform/http/identity-provider/provider';
import { exchange, RawClient, RawResponse } from '../support/raw-client';
import { type Service, startService } from '../support/service';
import type { Stage } from '../support/stage';

/** What the table says of a response. */
export type Shown = Pick<ApiResponse, 'status' | 'body' | 'headers'>;

/** A request that causes an error. A pair has the message too, where it says more than the one of the table. */
type Row = (stage: Stage) => Promise<Shown | [Shown, message: string]>;

const HEAD = 'Host: localhost\r\n';
const shown = (response: RawResponse): Shown => ({ ...response, body: response.json() });
const portOf = async (service: Service): Promise<number> => Number(new URL(await service.url()).port);
const raw =
  (text: string) =>
  async ({ service }: Stage): Promise<Shown> =>
    shown(await exchange(await portOf(service), text));

/** Runs `use` with another service, which is stopped afterwards. */
async function withService<T>(env: Record<string, string>, use: (other: Service) => Promise<T>): Promise<T> {
  const other = await startService(env);
  return use(other).finally(() => other.stop());
}

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
  requestTimeout: async ({ service }) => {
    const port = await portOf(service);
    // Not ten seconds (src/platform/http/edge/edge.spec.ts).
    Object.assign(service.app.getHttpServer(), { headersTimeout: 1000, requestTimeout: 1000 });
    const head = `POST /sessions HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n`;
    const client = new RawClient(port).send(`${head}half`);
    return shown(await client.response().finally(() => client.close()));
  },
  uriTooLong: raw(`GET /${'a'.repeat(8192)} HTTP/1.1\r\n${HEAD}\r\n`),
  expectationFailed: raw(`GET / HTTP/1.1\r\n${HEAD}Expect: tea\r\n\r\n`),
  headersTooLarge: raw(`GET / HTTP/1.1\r\n${HEAD}X: ${'a'.repeat(17_000)}\r\n\r\n`),
  pathNotFound: ({ owner }) => owner.get('/nowhere'),
  methodNotAllowed: async ({ owner }) => [
    await owner.send({ method: 'PATCH', path: '/users' }),
    'This path supports only GET, HEAD, POST, OPTIONS.',
  ],
  noCredentials: ({ service }) => service.nobody.get('/users'),
  tokenUnusable: ({ service }) => service.nobody.get('/users', { authorization: 'Bearer x' }),
  accountGone: async ({ service }) => {
    const deleted = await service.account();
    await service.admin.delete(`/users/${deleted.id}`);
    return deleted.get('/users');
  },
  apiKeyForbidden: async ({ owner }) => (await withKey(owner)).program.get('/sessions'),
  suspended: async ({ service }) => {
    const { id, password, user } = await service.registered();
    await service.admin.put(`/users/${id}`, { ...user, isSuspended: true });
    return service.nobody.post('/sessions', { username: user.username, password });
  },
  noAccount: async () => {
    jest.spyOn(IdentityProvider.prototype, 'keyFor').mockResolvedValueOnce(key.publicKey as never);
    return [await withToken(), 'This identity has no account; an Admin can set its externalId to "nightly-import".'];
  },
  forbidden: async (stage) => [
    await (await stage.stranger).delete(await stage.path('/organizations/:id')),
    'Only a Manager of this Organization or an Admin may do this.',
  ],
} satisfies Partial<Record<ErrorName, Row>>;

/** Requests that name nothing, or whose query or body is refused. */
const refused = {
  invalidQuery: async ({ owner }) => [
    await owner.get('/users?limit=0'),
    'The query parameter "limit" must be a whole number from 1 to 100; for more, follow the Link header.',
  ],
  unsupportedMediaType: async ({ owner }) => [
    await owner.post('/organizations', '{}', { 'content-type': 'text/plain' }),
    'The Content-Type is "text/plain". Send application/json; charset=utf-8.',
  ],
  bodyTooLarge: async ({ owner }) => [
    await owner.post('/organizations', `{"name":"${'a'.repeat(65_536)}"}`),
    'The body is larger than 65,536 bytes.',
  ],
  unusableBody: async ({ owner }) => [
    await owner.post('/organizations', '{'),
    'The body is not valid JSON: error at position 1.',
  ],
  invalidContent: ({ owner }) => owner.post('/organizations', { url: 'nowhere' }),
} satisfies Partial<Record<ErrorName, Row>>;

/** Requests that what is stored refuses. */
const conflicts = {
  concurrentChange: ({ service, owner }) => {
    const users = service.connection.db!.collection('users');
    const rival = (): Promise<unknown> => users.updateMany({}, { $inc: { revision: 1 } });
    const body = owner.userBody({ companyName: 'Slow' });
    return meanwhile(service, 'before every write', rival, () => owner.put(`/users/${owner.id}`, body));
  },
  preconditionFailed: async (stage) =>
    stage.owner.delete(await stage.path('/organizations/:id'), { 'if-match': '"x"' }),
} satisfies Partial<Record<ErrorName, Row>>;

/** Requests that come at the wrong time. */
const states = {
  tooManyRequests: () =>
    withService({ LOGIN_RATE_LIMIT_PER_MINUTE: '1' }, async ({ nobody }) => {
      await nobody.post('/sessions', { username: 'nobody-here', password: 'wrong' });
      const again = await nobody.post('/sessions', { username: 'nobody-here', password: 'wrong' });
      return [again, 'Too many failed logins. Try again later.'] as [Shown, string];
    }),
  unexpected: ({ service, owner }) => {
    service.afterGuards.next(() => Promise.reject(new Error('an error of the inside')));
    return owner.get('/users');
  },
  databaseUnavailable: ({ service }) =>
    withService({ MONGODB_URI: service.databaseUri }, async (other) => {
      await other.connection.close();
      return other.admin.get('/users');
    }),
  providerUnavailable: () => withToken(),
  maintenance: () => withService({ MAINTENANCE: 'on' }, ({ nobody }) => nobody.get('/users')),
  overloaded: async ({ owner, service }) => {
    const overload = jest.replaceProperty(service.app.get(Overload, { strict: false }), 'present', true);
    const response = await owner.get('/users');
    overload.restore();
    return response;
  },
} satisfies Partial<Record<ErrorName, Row>>;

/** A request for each error of the platform (src/platform/base/errors/api-error.ts). */
export const platformErrors: Readonly<Partial<Record<ErrorName, Row>>> = {
  ...refused,
  ...conflicts,
  ...states,
  ...early,
};
