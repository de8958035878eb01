import { Overload } from '../../src/platform/operations/limits/overload';
import { withKey } from '../registry/api-keys/keys';
import type { ApiResponse, Client, ClientRequest, Headers } from '../support/client';
import { expectError } from '../support/expect-error';
import { NOTHING } from '../support/records';
import { useService } from '../support/service';
import { declaredOperations, takesCredential } from '../support/operations';
import { Stage } from '../support/stage';

const NO_SLASH = 'No such path: paths have no trailing slash.';

const operations = declaredOperations();
const withAccount = operations.filter((operation) => operation.rule !== 'anyone' && !takesCredential(operation));

const first = useService();
let stage: Stage;
let addresses = 0;
beforeAll(async () => {
  stage = await Stage.of(first);
});

/** An address that has sent no request yet. */
const newAddress = (): string => `10.1.${Math.floor((addresses += 1) / 200)}.${(addresses % 200) + 1}`;
const nameless = { authorization: undefined };
const forged = { authorization: 'Bearer nonsense' };

function from(remoteAddress: string, request: ClientRequest, headers: Headers = {}): ClientRequest {
  return { ...request, remoteAddress, headers: { ...request.headers, ...headers } };
}

describe.each([
  ['maintenance', '120', { MAINTENANCE: 'on' }],
  ['overloaded', '10', {}],
] as const)('503 (%s) comes after path and method, before limits (which are off) and accounts', (error, wait, env) => {
  const service = useService({ MONGODB_URI: first.databaseUri, RATE_LIMIT_PER_MINUTE: '1', ...env });
  // Maintenance comes before an overload.
  beforeAll(() => void (service.app.get(Overload, { strict: false }).present = true));

  it('spares health checks', async () => {
    expect((await service.nobody.get('/health/live')).status).toBe(200);
  });

  it.each(operations)('$title', async (operation) => {
    const request = await stage.bare(operation);
    const address = newAddress();
    for (const headers of [nameless, nameless, {}]) {
      const response = await service.nobody.send(from(address, request, headers));
      expectError(response, error);
      expect(response.headers['retry-after']).toBe(wait);
    }
    expectError(await service.nobody.send({ ...request, path: `${request.path}/` }), 'pathNotFound', NO_SLASH);
    expectError(await service.nobody.send({ ...request, method: 'PATCH' }), 'methodNotAllowed');
  });
});

describe('the request limits (429)', () => {
  const service = useService({ MONGODB_URI: first.databaseUri, RATE_LIMIT_PER_MINUTE: '1' });

  it.each(operations)('per address come before path, method and account: $title', async (operation) => {
    const request = await stage.bare(operation);
    const address = newAddress();
    const unknown = { ...request, path: `${request.path}/` };
    const refused = { ...request, method: 'PATCH' } as const;
    expectError(await service.nobody.send(from(newAddress(), unknown, nameless)), 'pathNotFound', NO_SLASH);
    expectError(await service.nobody.send(from(newAddress(), refused, nameless)), 'methodNotAllowed');
    await service.nobody.send(from(address, { ...request, path: `${request.path}?x` }, nameless));
    for (const next of [request, unknown, refused])
      expectError(await service.nobody.send(from(address, next, nameless)), 'tooManyRequests');
  });

  it.each(['/nothing', '/docs', '/openapi.json', '/metrics', '/', '/health'])('count GET %s', async (path) => {
    const get = (to: string, address: string) =>
      service.app.inject({ method: 'GET', url: to, remoteAddress: address }).then(({ statusCode }) => statusCode);
    const address = newAddress();
    expect(await get(path, address)).toBeLessThan(429);
    expect([await get(path, address), await get('/users', address)]).toEqual([429, 429]);
  });

  // Which addresses are one, and what never counts: src/platform/operations/limits/*.spec.ts.
  it('per account come after 403 of a suspended User, which comes before 404 too', async () => {
    const account = await first.account();
    const { program } = await withKey(account);
    await first.admin.put(`/users/${account.id}`, account.userBody({ isSuspended: true }));
    const headers = { authorization: `Bearer ${program.token}` };
    for (const path of ['/users', '/users?x=1', `/organizations/${NOTHING}`])
      expectError(await service.nobody.send(from(newAddress(), { method: 'GET', path, headers })), 'suspended');
  });

  it('per account count what its API keys send', async () => {
    const account = await first.account();
    const { program } = await withKey(account);
    const get = ({ token }: Client): Promise<ApiResponse> => {
      const headers = { authorization: `Bearer ${token}` };
      return service.nobody.send(from(newAddress(), { method: 'GET', path: '/users', headers }));
    };
    expect((await get(program)).status).toBe(200);
    for (const client of [program, account]) expectError(await get(client), 'tooManyRequests');
  });

  it.each(withAccount)('per account come after 401, before 404 and the rest: $title', async (operation) => {
    const request = await stage.bare(operation);
    await service.nobody.send(from(newAddress(), { method: 'GET', path: '/users' }, request.headers));
    expectError(await service.nobody.send(from(newAddress(), request, forged)), 'tokenUnusable');
    const missing = { ...request, path: `${request.path.replace(/[0-9a-f]{24}/g, NOTHING)}?x=1` };
    expectError(await service.nobody.send(from(newAddress(), missing)), 'tooManyRequests');
  });
});
