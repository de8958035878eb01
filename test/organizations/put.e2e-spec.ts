import { Transactions } from '../../src/database/transactions';
import type { OrganizationDto } from '../../src/organizations/organization.dto';
import { Organization } from '../../src/organizations/organization.schema';
import { createApi } from '../apis/api-records';
import { uploaded } from '../files/uploads';
import { ApiResponse, Client } from '../support/client';
import { expectFailure, expectFaults } from '../support/expect-error';
import { addManager, createOrganization, NO_IDS, NOTHING } from '../support/records';
import { Service, startService } from '../support/service';

let service: Service;
let manager: Client;
let record: OrganizationDto;
let path: string;
beforeAll(async () => {
  service = await startService();
  manager = await service.account();
});
afterAll(() => service.stop());
beforeEach(async () => {
  record = await createOrganization(manager, { description: 'Old' });
  path = `/organizations/${record._id}`;
});

const put = (fields: object, headers?: Record<string, string>): Promise<ApiResponse> =>
  manager.put(path, { name: record.name, url: record.url, ...fields }, headers);
const stored = (): Promise<Organization | null> =>
  service.model<Organization>('Organization').findById(record._id).lean();

describe('GET /organizations/:id', () => {
  it('shows every account the record’s own fields, with an ETag', async () => {
    const stranger = await service.account();
    const answer = await stranger.get(path);
    expect(answer).toMatchObject({ status: 200, headers: { etag: '"1-0"' } });
    expect(answer.body).toEqual(record);
    expect((await stranger.get(path, { 'if-none-match': '"1-0"' })).status).toBe(304);
  });

  it.each([NOTHING, ...NO_IDS])('names none by %s', async (id) => {
    expectFailure(await manager.get(`/organizations/${encodeURI(id)}`), 'organizationNotFound');
  });
});

describe('PUT /organizations/:id', () => {
  it('replaces the Organization: what is left out is cleared', async () => {
    const fields = { name: 'Renamed Überall', url: 'http://new.example' };
    const answer = await manager.put(path, fields);
    const { updatedAt } = answer.body.data;
    expect(answer).toMatchObject({ status: 200, headers: { etag: '"1-1"' } });
    const slugs = { slug: 'renamed-uberall', friendlySlugs: { slug: { base: 'renamed-uberall', index: 0 } } };
    expect(answer.body).toEqual({
      status: 'success',
      data: { ...record, ...fields, ...slugs, description: '', updatedAt },
    });
    expect(Date.parse(updatedAt)).toBeGreaterThan(Date.parse(record.updatedAt));
    expect(await stored()).toMatchObject({
      ...fields,
      nameKey: 'renamed überall',
      description: '',
      searchText: 'renamed überall\nhttp://new.example\n',
      revision: 1,
      updatedAt: new Date(updatedAt),
      createdAt: new Date(record.createdAt),
    });
    expect((await manager.get(path)).body).toEqual(answer.body.data);
  });

  it('is for Managers and Admins', async () => {
    const [stranger, second] = [await service.account(), await service.account()];
    const before = await stored();
    expectFailure(await stranger.put(path, { name: 'Stolen', url: record.url }), 'forbidden');
    expect(await stored()).toEqual(before);
    await addManager(manager, record._id, second.id);
    expect((await second.put(path, { name: `${record.name} 2`, url: record.url })).status).toBe(200);
    expect((await service.admin.put(path, { name: `${record.name} 3`, url: record.url })).status).toBe(200);
  });

  it('is not for a Manager who was removed, from the very next request', async () => {
    const second = await service.account();
    await addManager(manager, record._id, second.id);
    await manager.delete(`${path}/managers/${second.id}`);
    expectFailure(await second.put(path, { name: 'Stolen', url: record.url }), 'forbidden');
  });

  it('takes back what GET gave', async () => {
    const { body, headers } = await manager.get(path);
    const answer = await manager.put(path, body);
    expect(answer).toMatchObject({ status: 200, body: { data: body }, headers: { etag: headers.etag } });
  });

  it('changes nothing where nothing changes', async () => {
    const before = await stored();
    const answer = await put({ description: ' Old\r\n', featuredApiIds: [], organizationLogoFileId: null });
    expect(answer).toMatchObject({ status: 200, body: { data: record }, headers: { etag: '"1-0"' } });
    expect(await stored()).toEqual(before);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['name', () => Promise.resolve(`${record.name}.`)],
    ['url', () => Promise.resolve('https://other.example')],
    ['description', () => Promise.resolve('')],
    ['featuredApiIds', async () => [(await createApi(manager, record._id, { isPublic: true }))._id]],
    ['organizationLogoFileId', async () => (await uploaded(manager))._id],
  ])('takes a change of %s alone for a change, and its return for another', async (field, make) => {
    const value = await make();
    const answer = await put({ ...record, [field]: value });
    expect(answer).toMatchObject({ status: 200, headers: { etag: '"1-1"' }, body: { data: { [field]: value } } });
    expect((await manager.get(path)).body).toEqual(answer.body.data);
    expect(await put(record)).toMatchObject({ status: 200, headers: { etag: '"1-2"' } });
    const { updatedAt: _, ...rest } = record;
    expect((await manager.get(path)).body).toMatchObject(rest);
  });

  it('takes another order of the featured Apis for a change', async () => {
    const apis = [await createApi(manager, record._id, { isPublic: true })];
    apis.push(await createApi(manager, record._id, { isPublic: true }));
    const featuredApiIds = apis.map(({ _id }) => _id);
    await put({ featuredApiIds });
    const turned = [...featuredApiIds].reverse();
    expect((await put({ featuredApiIds: turned })).headers.etag).toBe('"1-2"');
    expect((await stored())?.featuredApiIds.map(String)).toEqual(turned);
  });

  it('is one update where the name stays and no reference is added, and a transaction otherwise', async () => {
    const run = jest.spyOn(service.app.get(Transactions), 'run');
    await put({ name: record.name.toUpperCase(), url: 'https://other.example', description: 'New' });
    expect(run).toHaveBeenCalledTimes(0);
    await put({ name: `${record.name} renamed` });
    expect(run).toHaveBeenCalledTimes(1);
    run.mockRestore();
    expect(await stored()).toMatchObject({ name: `${record.name} renamed`, revision: 2 });
  });

  it('lets the case of its own name change', async () => {
    const name = record.name.toUpperCase();
    const { data } = (await put({ name })).body;
    expect({ name: data.name, slug: data.slug }).toEqual({ name, slug: record.slug });
  });

  it('refuses the name of another, without regard to case', async () => {
    const other = await createOrganization(manager);
    const before = await stored();
    expectFailure(await put({ name: other.name.toUpperCase(), url: 'https://x.example' }), 'organizationNameTaken');
    expect(await stored()).toEqual(before);
  });

  it.each([
    ['missing', 'name', { name: null }],
    ['blank', 'name', { name: '' }],
    ['tooLong', 'description', { description: 'a'.repeat(1001) }],
    ['namesNothing', 'featuredApiIds.0', { featuredApiIds: [NOTHING] }],
    ['namesNothing', 'organizationLogoFileId', { organizationLogoFileId: NOTHING }],
    ['unknownField', 'referenceCount', { referenceCount: 1 }],
    ['unknownField', 'managers', { managers: [] }],
  ] as const)('changes nothing with a fault: %s: %s', async (fault, title, fields) => {
    const before = await stored();
    expectFaults(await put({ url: 'https://x.example', ...fields }), [fault, title]);
    expect(await stored()).toEqual(before);
  });

  it('looks references up in bodies without other faults only', async () => {
    expectFaults(await put({ url: 'x', featuredApiIds: [NOTHING] }), ['badFormat', 'url']);
  });

  it('creates nothing', async () => {
    const body = { name: 'Not there', url: record.url };
    const count = await service.model('Organization').countDocuments();
    expectFailure(await service.admin.put(`/organizations/${NOTHING}`, body), 'organizationNotFound');
    expect(await service.model('Organization').countDocuments()).toBe(count);
  });

  it('is applied, one after the other, when many come at once', async () => {
    const answers = await Promise.all([1, 2, 3].map((n) => put({ description: `Version ${n}` })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await stored()).toMatchObject({ revision: 3 });
  });

  it('is PUT once where many send one If-Match', async () => {
    const writes = [1, 2, 3].map((n) => put({ description: `Version ${n}` }, { 'if-match': '"1-0"' }));
    const statuses = (await Promise.all(writes)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 412, 412]);
    expect(await stored()).toMatchObject({ revision: 1 });
  });
});

describe('If-Match on PUT /organizations/:id', () => {
  it.each(['"1-0"', '"a,b", "1-0"', ' * '])('lets the write pass with %s', async (tag) => {
    expect((await put({ description: 'New' }, { 'if-match': tag })).headers.etag).toBe('"1-1"');
  });

  it.each(['"1-1"', 'W/"1-0"', '1-0', '"1-0', '"2-0"', ''])('keeps the write out with %j', async (tag) => {
    const before = await stored();
    expectFailure(await put({ description: 'New' }, { 'if-match': tag }), 'preconditionFailed');
    expect(await stored()).toEqual(before);
  });

  it('is judged after faults, before nothing-to-do and conflicts', async () => {
    const other = await createOrganization(manager);
    const stale = { 'if-match': '"1-9"' };
    expectFaults(await put({ url: 'x' }, stale), ['badFormat', 'url']);
    expectFaults(await put({ featuredApiIds: [NOTHING] }, stale), ['namesNothing', 'featuredApiIds.0']);
    expectFailure(await put({ description: 'Old' }, stale), 'preconditionFailed');
    expectFailure(await put({ name: other.name }, stale), 'preconditionFailed');
    expectFailure(await put({ name: other.name }, { 'if-match': '"1-0"' }), 'organizationNameTaken');
  });
});
