import { exchange } from '../http/raw-client';
import type { ApiResponse, ClientRequest, Headers } from '../support/client';
import { expectError } from '../support/expect-error';
import { NOTHING } from '../support/records';
import { Service, startService } from '../support/service';
import { declaredOperations, nameOf } from './operations';
import { createWorld, requestOf, World } from './world';

const operations = declaredOperations();
const named = operations.map((operation) => [nameOf(operation), operation] as const);
const withAccount = named.filter(([, { rule }]) => rule !== 'anyone');

let first: Service;
let world: World;
let addresses = 0;
beforeAll(async () => {
  first = await startService();
  world = await createWorld(first);
});
afterAll(() => first.stop());

/** An address that has sent no request yet. */
const newAddress = (): string => `10.1.${Math.floor((addresses += 1) / 200)}.${(addresses % 200) + 1}`;
const nameless = { authorization: undefined };
const forged = { authorization: 'Bearer nonsense' };

function from(remoteAddress: string, request: ClientRequest, headers: Headers = {}): ClientRequest {
  return { ...request, remoteAddress, headers: { ...request.headers, ...headers } };
}

describe('maintenance (503) comes after path and method, before limits (which are off) and accounts', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ MONGODB_URI: first.databaseUri, MAINTENANCE: 'on', RATE_LIMIT_PER_MINUTE: '1' });
  });
  afterAll(() => service.stop());

  it.each(named)('%s', async (_name, operation) => {
    const request = requestOf(operation, world);
    const address = newAddress();
    for (const headers of [nameless, nameless, {}]) {
      expectError(await service.nobody.send(from(address, request, headers)), 'maintenance');
    }
    expectError(await service.nobody.send({ ...request, path: `${request.path}/` }), 'pathNotFound');
    expectError(await service.nobody.send({ ...request, method: 'PATCH' }), 'methodNotAllowed');
  });
});

describe('the request limits (429)', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ MONGODB_URI: first.databaseUri, RATE_LIMIT_PER_MINUTE: '1' });
  });
  afterAll(() => service.stop());

  it.each(named)('per address come before path, method and account: %s', async (_n, operation) => {
    const request = requestOf(operation, world);
    const address = newAddress();
    const gone = { ...request, path: `${request.path}/` };
    const refused = { ...request, method: 'PATCH' } as const;
    expectError(await service.nobody.send(from(newAddress(), gone, nameless)), 'pathNotFound');
    expectError(await service.nobody.send(from(newAddress(), refused, nameless)), 'methodNotAllowed');
    await service.nobody.send(from(address, { ...request, path: `${request.path}?x` }, nameless));
    for (const next of [request, gone, refused])
      expectError(await service.nobody.send(from(address, next, nameless)), 'tooManyRequests');
  });

  it.each(['/nothing', '/docs', '/openapi.json', '/metrics', '/', '/health'])('count GET %s', async (path) => {
    const get = (to: string, address: string) =>
      service.app.inject({ method: 'GET', url: to, remoteAddress: address }).then(({ statusCode }) => statusCode);
    const address = newAddress();
    expect(await get(path, address)).toBeLessThan(429);
    expect([await get(path, address), await get('/users', address)]).toEqual([429, 429]);
  });

  it.each(['/health/live', '/health/ready'])('never count GET %s', async (path) => {
    const address = newAddress();
    const get = (to: string): Promise<ApiResponse> =>
      service.nobody.send({ method: 'GET', path: to, remoteAddress: address });
    for (let times = 0; times < 3; times += 1) expect((await get(path)).status).toBe(200);
    expectError(await get('/users'), 'noCredentials');
    expect((await get(path)).status).toBe(200);
  });

  it.each(withAccount)('per account come after 401, before 404 and the rest: %s', async (_n, operation) => {
    const request = requestOf(operation, world);
    await service.nobody.send(from(newAddress(), { method: 'GET', path: '/users' }, request.headers));
    expectError(await service.nobody.send(from(newAddress(), request, forged)), 'tokenUnusable');
    const missing = { ...request, path: `${request.path.replace(/[0-9a-f]{24}/g, NOTHING)}?x=1` };
    expectError(await service.nobody.send(from(newAddress(), missing)), 'tooManyRequests');
  });
});

describe('the HTTP parser rejects a request before its path is checked', () => {
  const host = 'Host: localhost\r\n';

  it.each([
    ['no Host', 400, ''],
    ['two Hosts', 400, host + host],
    ['an expectation', 417, `${host}Expect: tea\r\n`],
    ['a long header section', 431, `${host}X: ${'a'.repeat(17_000)}\r\n`],
  ])('%s: %i, for any path and method', async (_name, status, fields) => {
    const port = Number(new URL(await first.url()).port);
    for (const line of ['GET /nothing', 'PATCH /users', 'GET /users', 'POST /sessions?x=1']) {
      const response = await exchange(port, `${line} HTTP/1.1\r\n${fields}\r\n`);
      expect({ line, status: response.status, code: response.json().code }).toEqual({ line, status, code: 1006 });
    }
  });
});
