import { createApi } from '../registry/apis/api-records';
import type { ApiResponse, Client } from '../support/client';
import { expectError, expectFieldErrors } from '../support/expect-error';
import { addManager, backdate, createOrganization, etag } from '../support/records';
import { replacing, resourceOf, sceneOf } from '../support/scenes';
import { useService } from '../support/service';
import { changesOf, Stage } from '../support/stage';

const service = useService();
let admin: Client;
let account: Client;
let organizationId: string;
const paths: Partial<Record<string, string>> = {};
beforeAll(async () => {
  admin = service.admin;
  account = await service.account();
  organizationId = (await createOrganization(admin, { name: 'Nets' }))._id;
  const api = await createApi(admin, organizationId);
  Object.assign(paths, {
    organization: `/organizations/${organizationId}`,
    api: `/apis/${api._id}`,
    user: `/users/${account.id}`,
    manager: `/organizations/${organizationId}/managers/${admin.id}`,
  });
});

const pathOf = (record: string): string => paths[record] ?? '';
const OTHER = etag(999);

/** Forms of If-None-Match and If-Match, with `own` for the record's tag; src/platform/http/responses/etag.spec.ts has all of them. */
const forms: [form: string, noneMatch: number, match: number][] = [
  ['own', 304, 200],
  ['*', 304, 200],
  ['W/own', 304, 412],
  ['other', 200, 412],
];

function written(form: string, own: string): string {
  return form.replace('own', own).replace('other', OTHER);
}

/** The message of a 412, by the form of If-Match. */
const messageFor = (form: string) =>
  form === 'W/own' ? (expect.stringContaining('a proxy in between that compresses') as string) : undefined;

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

  it.each(forms)('If-None-Match: %s returns %i', async (form, status) => {
    const { headers } = await caller.get(path);
    const response = await caller.get(path, { 'if-none-match': written(form, headers.etag ?? '') });
    expect(response).toMatchObject({ status, headers: { etag: headers.etag } });
    if (status === 304) expect(response.text).toBe('');
  });

  it('gives a HEAD the 304 that it gives a GET, which names no length', async () => {
    const { etag } = (await caller.get(path)).headers;
    const got = await caller.get(path, { 'if-none-match': etag });
    const head = await caller.send({ method: 'HEAD', path: path, headers: { 'if-none-match': etag } });
    expect(head).toMatchObject({ status: 304, text: '', headers: { etag } });
    expect(head.headers).not.toHaveProperty('content-length');
    expect(Object.keys(head.headers).sort()).toEqual(Object.keys(got.headers).sort());
  });

  it.each(forms)(
    'If-Match: %s (after %i to If-None-Match) gives GET and HEAD %i, before If-None-Match is compared',
    async (form, _, status) => {
      const { headers } = await caller.get(path);
      const match = { 'if-match': written(form, headers.etag ?? '') };
      const response = await caller.get(path, match);
      if (status === 412) expectError(response, 'preconditionFailed', messageFor(form));
      else expect(response).toMatchObject({ status, headers: { etag: headers.etag } });
      // If-Match comes first (RFC 9110 §13.2.2).
      const both = { ...match, 'if-none-match': headers.etag };
      const expected = status === 412 ? 412 : 304;
      for (const method of ['GET', 'HEAD'] as const)
        expect((await caller.send({ method, path, headers: both })).status).toBe(expected);
    },
  );

  it.each(forms)('If-Match: %s (after %i to GET) returns %i, and at 412 nothing changes', async (form, _, status) => {
    const before = await caller.get(path);
    const response = await caller.put(path, await changed(), { 'if-match': written(form, before.headers.etag ?? '') });
    expect({ status: response.status, see }).toEqual({ status, see });
    const after = await caller.get(path);
    if (status === 412) {
      expectError(response, 'preconditionFailed', messageFor(form));
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
    const stale = { 'if-match': OTHER };
    expectFieldErrors(await caller.put(path, { ...body, more: 1 }, stale), ['unknownField', 'more']);
    expectError(await caller.put(path, body, stale), 'preconditionFailed', undefined, see);
    expectFieldErrors(await caller.put(path, { ...body, more: 1 }, { 'if-none-match': '*' }), ['unknownField', 'more']);
  });
});

it('POST ignores If-Match and If-None-Match', async () => {
  const record = { name: 'Posted', url: 'https://posted.example' };
  const headers = { 'if-match': '"another"', 'if-none-match': '*' };
  expect((await admin.post('/organizations', record, headers)).status).toBe(201);
});

it.each(['organization', 'api'])('the contact of one %s is not searched', async (record) => {
  const { body } = await admin.get(pathOf(record));
  const contact = {
    contactName: 'Grace Miller',
    contactEmail: 'grace@grace.example',
    contactUrl: 'https://grace.example',
  };
  await admin.put(pathOf(record), { ...body, ...contact });
  expect((await admin.get(`/${record}s?q=grace`)).body.data).toEqual([]);
});

describe('412 comes before conflicts, and what names nothing before both', () => {
  it('of an Organization', async () => {
    await createOrganization(admin, { name: 'Taken' });
    const { body } = await admin.get(pathOf('organization'));
    const taken = { ...body, name: 'TAKEN' };
    expectError(await admin.put(pathOf('organization'), taken, { 'if-match': OTHER }), 'preconditionFailed');
    expectError(await admin.put(pathOf('organization'), taken), 'organizationNameTaken');
    const nothing = { ...taken, featuredApiIds: ['f'.repeat(24)] };
    const invalid = await admin.put(pathOf('organization'), nothing, { 'if-match': OTHER });
    expectFieldErrors(invalid, ['namesNothing', 'featuredApiIds.0']);
    const others = { ...body, managerIds: [account.id] };
    expectError(await admin.put(pathOf('organization'), others, { 'if-match': OTHER }), 'preconditionFailed');
    expect((await admin.put(pathOf('organization'), others, { 'if-none-match': '*' })).status).toBe(412);
    const current = { 'if-match': (await admin.get(pathOf('organization'))).headers.etag };
    expectFieldErrors(await admin.put(pathOf('organization'), others, current), ['changedElsewhere', 'managerIds']);
  });

  it('of a User: 403 for roles comes before 412', async () => {
    const { body } = await account.get(pathOf('user'));
    const asAdmin = await account.put(pathOf('user'), { ...body, roles: ['admin'] }, { 'if-match': OTHER });
    expectError(asAdmin, 'forbidden');
    const invalid = await account.put(pathOf('user'), { ...body, roles: ['admin'], more: 1 });
    expectFieldErrors(invalid, ['unknownField', 'more']);
    const named = await admin.put(pathOf('user'), { ...body, username: 'admin' }, { 'if-match': OTHER });
    expectError(named, 'preconditionFailed');
  });

  it('of deletions', async () => {
    for (const path of [`/users/${admin.id}`, pathOf('manager')])
      expectError(await admin.delete(path, { 'if-match': OTHER }), 'preconditionFailed');
    expectError(await admin.delete(pathOf('manager')), 'lastManager');
  });
});

describe('the ETag of a Manager', () => {
  const get = (): Promise<ApiResponse> => admin.get(pathOf('manager'));

  it('is a hash of its body, which shows fields of the User', async () => {
    const before = await get();
    const { body } = await admin.get(`/users/${admin.id}`);
    await admin.put(`/users/${admin.id}`, { ...body, companyName: 'Another' });
    const after = await get();
    expect(after.body.companyName).toBe('Another');
    expect(after.headers.etag).not.toBe(before.headers.etag);
    await admin.put(`/users/${admin.id}`, body);
    expect((await get()).headers.etag).toBe(before.headers.etag);
  });

  it('lets a deletion pass in every form that matches', async () => {
    const path = `/organizations/${organizationId}/managers/${account.id}`;
    await addManager(admin, organizationId, account.id);
    for (const [form, , status] of forms) {
      const { headers } = await admin.get(path);
      const response = await admin.delete(path, { 'if-match': written(form, headers.etag ?? '') });
      expect({ form, status: response.status }).toEqual({ form, status: status === 200 ? 204 : 412 });
      if (response.status === 204) await addManager(admin, organizationId, account.id);
    }
  });
});
