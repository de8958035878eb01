import type { ApiResponse } from '../support/client';
import { expectError, expectOutcome } from '../support/expect-error';
import { meanwhile, MOMENTS } from '../support/meanwhile';
import type { Operation } from '../support/operations';
import { notFoundOf, operations, resourceOf } from '../support/scenes';
import { useService } from '../support/service';
import { Stage } from '../support/stage';
import { remainsOf } from '../support/remains';

const service = useService();

/** Sessions and API keys have no ETag (contract §2). */
const hasEtag = ({ path }: Operation): boolean =>
  !/^\/sessions\/|\/api-keys\//.test(path) && operations.some((other) => other.method === 'GET' && other.path === path);
const seeOf = (operation: Operation): string =>
  `Call \`ifMatch.require\` in src/registry/${resourceOf(operation)}, after field errors and 403, before conflicts.`;
const changing = operations.filter((operation) => /PUT|DELETE/.test(operation.method) && hasEtag(operation));

/** A new record of an operation, and who may do everything with it. */
async function prepare(operation: Operation) {
  const stage = await Stage.of(service);
  return { by: await stage.callerOf(resourceOf(operation)), ...(await stage.bare(operation)) };
}

describe('If-Match (contract §2)', () => {
  it.each(changing)('of another state: $title is 412 and changes nothing', async (operation) => {
    const { by, method, path } = await prepare(operation);
    const payload = method === 'PUT' ? (await by.get(path)).body : undefined;
    const before = await service.contents();
    const headers = { 'if-match': '"another"' };
    const response = await by.send({ method, path, payload, headers });
    expectError(response, 'preconditionFailed', undefined, seeOf(operation));
    expect(await service.contents()).toEqual(before);
  });
});

describe('If-None-Match (contract §2)', () => {
  it.each(changing)('of the present state: $title is 412 and changes nothing', async (operation) => {
    const { by, method, path } = await prepare(operation);
    const { body, headers } = await by.get(path);
    const payload = method === 'PUT' ? body : undefined;
    const before = await service.contents();
    const known = { 'if-none-match': headers.etag };
    const response = await by.send({ method, path, payload, headers: known });
    const message = "If-None-Match matches the record's ETag.";
    expectError(response, 'preconditionFailed', message, seeOf(operation));
    expect(await service.contents()).toEqual(before);
  });

  it.each(changing)('of another state, with If-Match of the present one: $title succeeds', async (operation) => {
    const { by, method, path } = await prepare(operation);
    const { body, headers } = await by.get(path);
    const payload = method === 'PUT' ? body : undefined;
    const both = { 'if-match': headers.etag, 'if-none-match': '"another"' };
    expectOutcome(await by.send({ method, path, payload, headers: both }), method === 'PUT' ? 200 : 204);
  });
});

describe('a record without an ETag (contract §2)', () => {
  const others = operations.filter(({ method, path }) => /GET|DELETE/.test(method) && /\/:\w+$/.test(path));

  it.each(others.filter((operation) => !hasEtag(operation)))(
    'ignores If-Match and If-None-Match: $title',
    async (operation) => {
      const { by, method, path } = await prepare(operation);
      const headers = { 'if-match': '"another"', 'if-none-match': '*' };
      expectOutcome(await by.send({ method, path, headers }), method === 'GET' ? 200 : 204);
    },
  );
});

describe('while the record that a path names is being deleted (contract §1.8)', () => {
  /** `/organizations/:id/apis`: a collection below a record that can be deleted. */
  const below = operations.filter(({ path }) => /^\/[^/]+\/:id\/[^/]+$/.test(path));
  const parentOf = (path: string): string[] => path.split('/').slice(1, 3);
  const cases = MOMENTS.flatMap((moment) => below.map((operation) => ({ moment, operation, title: operation.title })));

  it.each(cases.filter(({ moment, operation }) => operation.method === 'POST' || moment === 'after the guards'))(
    '$moment of $title: it is 404 and leaves nothing behind',
    async ({ moment, operation }) => {
      const stage = await Stage.of(service);
      const by = await stage.callerOf(resourceOf(operation));
      const request = await stage.request(operation, by);
      const [resource = '', id = ''] = parentOf(request.path);
      const owner = await stage.callerOf(resource);
      const remove = (): Promise<ApiResponse> => owner.delete(`/${resource}/${id}`);
      const response = await meanwhile(service, moment, remove, () => by.send(request));
      expectError(response, notFoundOf(resource));
      expect(await remainsOf(service, id)).toEqual([]);
    },
  );
});
