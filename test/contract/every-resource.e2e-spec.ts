import { withKey } from '../registry/api-keys/keys';
import { createApi } from '../registry/apis/api-records';
import { uploaded } from '../registry/files/uploads';
import { brokenInvariants } from '../support/broken-invariants';
import type { ApiResponse } from '../support/client';
import { expectError } from '../support/expect-error';
import { meanwhile } from '../support/meanwhile';
import { addManager, organizationBody } from '../support/records';
import { useService } from '../support/service';
import { declaredOperations, Operation } from './operations';
import { createWorld, requestOf, World } from './world';

/** POST operations whose body is not the record itself, with the file that proves the same of them. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'POST /organizations/:id/managers': 'test/registry/managers/meanwhile.e2e-spec.ts',
  'POST /users/:id/api-keys': 'test/registry/api-keys/post.e2e-spec.ts',
};

/** Read from the controllers and test/contract/world.ts, so a resource that is added later is tested, too. */
const operations = declaredOperations();

const service = useService();
let world: World;
beforeEach(async () => {
  world = await createWorld(service);
  // An account that can be deleted: the first Admin is the last one.
  world = { ...world, ids: { ...world.ids, users: world.stranger.id } };
});

/** The path of an operation, with the ids of the world's records. */
const pathOf = (operation: Operation): string => requestOf(operation, world).path;

/** Sessions and API keys have no ETag (contract §2). */
const hasEtag = (path: string): boolean =>
  !/^\/sessions\/|\/api-keys\//.test(path) && operations.some((other) => other.method === 'GET' && other.path === path);
const changing = operations.filter(({ method, path }) => ['PUT', 'DELETE'].includes(method) && hasEtag(path));

describe('If-Match (contract §2)', () => {
  it.each(changing)('of another state: $title is 412 and changes nothing', async (operation) => {
    const { method } = operation;
    const path = pathOf(operation);
    const payload = method === 'PUT' ? (await service.admin.get(path)).body : undefined;
    const before = await service.contents();
    const headers = { 'if-match': '"another"' };
    expectError(await service.admin.send({ method, path, payload, headers }), 'preconditionFailed');
    expect(await service.contents()).toEqual(before);
  });
});

describe('a DELETE leaves no reference to what it deletes (contract §1.8)', () => {
  /** The API is featured, the File a logo, and the User a Manager with an API key. */
  beforeEach(async () => {
    const { admin } = service;
    const path = `/organizations/${world.ids.organizations}`;
    const api = await createApi(admin, world.ids.organizations!, { isPublic: true });
    const logo = await uploaded(admin);
    const references = { featuredApiIds: [api._id], organizationLogoFileId: logo._id };
    expect((await admin.put(path, organizationBody(references))).status).toBe(200);
    await addManager(admin, world.ids.organizations!, world.stranger.id);
    await withKey(world.stranger);
    world = { ...world, ids: { ...world.ids, apis: api._id, files: logo._id } };
  });

  it.each(changing.filter(({ method }) => method === 'DELETE'))('$title', async (operation) => {
    const response = await service.admin.delete(pathOf(operation));
    if (operation.path === '/files/:id') expectError(response, 'fileInUse');
    else expect(response.status).toBe(204);
    // `npm run check:data` follows every `ref` of every schema.
    expect(await brokenInvariants(service)).toBe('');
  });
});

describe('while the record that a path names is being deleted (contract §1.8)', () => {
  /** `/organizations/:id/apis`: a collection below a record that can be deleted. */
  const below = operations.filter(({ path }) => /^\/[^/]+\/:id\/[^/]+$/.test(path));
  const removeParent = (operation: Operation): Promise<ApiResponse> =>
    service.admin.delete(pathOf(operation).split('/').slice(0, 3).join('/'));

  it.each(below.filter(({ method }) => method === 'GET'))('$title is 404, not an empty list', async (operation) => {
    const response = await meanwhile(
      service,
      'after the guards',
      () => removeParent(operation),
      () => service.admin.get(pathOf(operation)),
    );
    expect(response.status).toBe(404);
  });

  it.each(below.filter(({ method, title }) => method === 'POST' && !(title in ELSEWHERE)))(
    '$title is 404 and leaves nothing behind',
    async (operation) => {
      const payload = await exampleOf(operation);
      const response = await meanwhile(
        service,
        'before the first write',
        () => removeParent(operation),
        () => service.admin.post(pathOf(operation), payload),
      );
      expect(response.status).toBe(404);
      const [, , id] = pathOf(operation).split('/');
      // Events outlive the records that they are about.
      const { events: _, ...contents } = await service.contents();
      expect(JSON.stringify(contents)).not.toContain(id);
    },
  );

  /** What GET returns of the world's record of the collection: POST ignores its read-only fields. */
  async function exampleOf({ path }: Operation): Promise<object> {
    const collection = path.split('/').at(-1)!;
    const id = world.ids[collection];
    if (!id) throw new Error(`There is no record of ${collection}: add it to test/contract/world.ts.`);
    return (await service.admin.get(`/${collection}/${id}`)).body as object;
  }
});

test('the operations that are left out exist', () => {
  expect(operations.map(({ title }) => title)).toEqual(expect.arrayContaining(Object.keys(ELSEWHERE)));
  expect(changing.length).toBeGreaterThanOrEqual(8);
});
