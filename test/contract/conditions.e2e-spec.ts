import type { ApiResponse, Client } from '../support/client';
import { expectError, expectFieldErrors } from '../support/expect-error';
import { backdate, createOrganization, etag, NOTHING } from '../support/records';
import { replacing, resourceOf, sceneOf } from '../support/scenes';
import { useService } from '../support/service';
import { changesOf, Stage } from '../support/stage';

const service = useService();
let admin: Client;
beforeAll(() => void (admin = service.admin));

const OTHER = { 'if-match': etag(999) };

/** Forms of If-None-Match and If-Match, with `own` for the record's tag; src/platform/http/responses/etag.spec.ts has all of them. */
const forms: [form: string, noneMatch: number, match: number][] = [
  ['own', 304, 200],
  ['*', 304, 200],
  ['W/own', 304, 412],
  ['other', 200, 412],
];
const written = (form: string, own = ''): string => form.replace('own', own).replace('other', OTHER['if-match']);

/** Expects the 412 of a form of If-Match, with its message. */
function expectRefused(response: ApiResponse, form: string): void {
  const message = expect.stringContaining('a proxy in between that compresses') as string;
  expectError(response, 'preconditionFailed', form === 'W/own' ? message : undefined);
}

describe.each(replacing)('the ETag in $path', (operation) => {
  const resource = resourceOf(operation);
  const see = `Call \`ifMatch.require\` in src/registry/${resource}, after field errors and 403, before conflicts.`;
  let caller: Client;
  let path: string;
  beforeAll(async () => {
    const stage = await Stage.of(service);
    [caller, path] = [await stage.callerOf(resource), await stage.path(operation.path)];
  });
  const changed = async (): Promise<object> => ({ ...(await caller.get(path)).body, ...changesOf(resource)[1] });

  it.each(forms)(
    '%s gives GET and HEAD %i in If-None-Match and %i in If-Match, which comes first (RFC 9110 §13.2.2)',
    async (form, unknown, status) => {
      const { etag } = (await caller.get(path)).headers;
      const [tag, headers] = [written(form, etag), { etag }];
      const [got, head] = [
        await caller.get(path, { 'if-none-match': tag }),
        await caller.send({ method: 'HEAD', path, headers: { 'if-none-match': tag } }),
      ];
      for (const response of [got, head]) expect(response).toMatchObject({ status: unknown, headers });
      expect(Object.keys(head.headers).sort()).toEqual(Object.keys(got.headers).sort());
      if (unknown === 304) expect([got.text, head.text, head.headers['content-length']]).toEqual(['', '', undefined]);
      const matched = await caller.get(path, { 'if-match': tag });
      if (status === 412) expectRefused(matched, form);
      else expect(matched).toMatchObject({ status, headers });
      const both = { 'if-match': tag, 'if-none-match': etag };
      for (const method of ['GET', 'HEAD'] as const)
        expect((await caller.send({ method, path, headers: both })).status).toBe(status === 412 ? 412 : 304);
    },
  );

  it.each(forms)('If-Match: %s (after %i to GET) returns %i, and at 412 nothing changes', async (form, _, status) => {
    const before = await caller.get(path);
    const response = await caller.put(path, await changed(), { 'if-match': written(form, before.headers.etag) });
    expect({ status: response.status, see }).toEqual({ status, see });
    const after = await caller.get(path);
    if (status === 412) {
      expectRefused(response, form);
      expect(after.body).toEqual(before.body);
    } else {
      expect(after.body).toEqual(response.body.data);
      expect(after.headers.etag).toBe(response.headers.etag);
      expect(after.headers.etag).not.toBe(before.headers.etag);
    }
  });

  // Lists whose items have it (contract §2 Lists).
  if (['users', 'organizations', 'apis'].includes(resource))
    it('is in the item of a list, which can be sent back', async () => {
      const { headers } = await caller.get(path);
      const id = path.split('/').at(-1);
      const { data } = (await caller.get(`/${resource}?limit=100`)).body;
      const item = (data as { _id: string; etag: string }[]).find(({ _id }) => _id === id)!;
      expect(item.etag).toBe(headers.etag);
      const put = await caller.put(path, item, { 'if-match': item.etag });
      expect(put).toMatchObject({ status: 200, headers: { etag: headers.etag } });
      expect(put.body.data).not.toHaveProperty('etag');
    });

  it('PUT of what GET gave changes nothing, once or twice', async () => {
    const got = await caller.get(path);
    for (const headers of [{}, { 'if-match': got.headers.etag }, {}]) {
      const put = await caller.put(path, got.body, headers);
      expect(put).toMatchObject({ status: 200, headers: { etag: got.headers.etag }, body: { data: got.body } });
    }
    expect((await caller.get(path)).body).toEqual(got.body);
  });

  it('PUT sets updatedAt, and twice is the same as once', async () => {
    const longAgo = await backdate(service, sceneOf(resource).stored, path.split('/').at(-1)!);
    const payload = await changed();
    const once = await caller.put(path, payload);
    expect(once.body.data.updatedAt).not.toBe(longAgo);
    const twice = await caller.put(path, payload);
    expect(twice).toMatchObject({ status: 200, body: once.body, headers: { etag: once.headers.etag } });
  });

  it('field errors come before 412, and 412 before a PUT that changes nothing', async () => {
    const { body } = await caller.get(path);
    for (const headers of [OTHER, { 'if-none-match': '*' }])
      expectFieldErrors(await caller.put(path, { ...body, more: 1 }, headers), ['unknownField', 'more']);
    expectError(await caller.put(path, body, OTHER), 'preconditionFailed', undefined, see);
  });
});

describe('412 comes after references to no record and 403, and before changes of other records', () => {
  it('of an Organization', async () => {
    const { _id } = await createOrganization(admin);
    const path = `/organizations/${_id}`;
    const { body, headers } = await admin.get(path);
    const invalid = await admin.put(path, { ...body, featuredApiIds: [NOTHING] }, OTHER);
    expectFieldErrors(invalid, ['namesNothing', 'featuredApiIds.0']);
    const others = { ...body, managerIds: [NOTHING] };
    expectError(await admin.put(path, others, OTHER), 'preconditionFailed');
    const current = { 'if-match': headers.etag };
    expectFieldErrors(await admin.put(path, others, current), ['changedElsewhere', 'managerIds']);
    expectError(await admin.delete(`${path}/managers/${admin.id}`, OTHER), 'preconditionFailed');
  });

  it('of a User', async () => {
    const account = await service.account();
    const body = account.userBody({ roles: ['admin'] });
    expectError(await account.put(`/users/${account.id}`, body, OTHER), 'forbidden');
    expectFieldErrors(await account.put(`/users/${account.id}`, { ...body, more: 1 }), ['unknownField', 'more']);
    expectError(await admin.delete(`/users/${admin.id}`, OTHER), 'preconditionFailed');
  });
});
