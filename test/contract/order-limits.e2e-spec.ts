import type { ClientRequest, Headers } from '../support/client';
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

describe('maintenance (503) comes after path and method, before limits and accounts', () => {
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

  it.each(named)('per address come after path and method, before the account: %s', async (_n, operation) => {
    const request = requestOf(operation, world);
    const address = newAddress();
    await service.nobody.send(from(address, { ...request, path: `${request.path}?x` }, nameless));
    expectError(await service.nobody.send(from(address, request, nameless)), 'tooManyRequests');
    const gone = { ...request, path: `${request.path}/` };
    expectError(await service.nobody.send(from(address, gone, nameless)), 'pathNotFound');
    expectError(await service.nobody.send(from(address, { ...request, method: 'PATCH' })), 'methodNotAllowed');
  });

  it.each(withAccount)('per account come after 401, before 404 and the rest: %s', async (_n, operation) => {
    const request = requestOf(operation, world);
    await service.nobody.send(from(newAddress(), { method: 'GET', path: '/users' }, request.headers));
    expectError(await service.nobody.send(from(newAddress(), request, forged)), 'tokenUnusable');
    const missing = { ...request, path: `${request.path.replace(/[0-9a-f]{24}/g, NOTHING)}?x=1` };
    expectError(await service.nobody.send(from(newAddress(), missing)), 'tooManyRequests');
  });
});
