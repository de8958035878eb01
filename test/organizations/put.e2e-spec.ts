import type { OrganizationDto } from '../../src/organizations/organization.dto';
import { Organization } from '../../src/organizations/organization.schema';
import { createApi } from '../apis/api-records';
import { uploaded } from '../files/uploads';
import { ApiResponse, Client } from '../support/client';
import { expectFailure } from '../support/expect-error';
import { createOrganization, etag, ifMatch, newManager } from '../support/records';
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

const put = (fields: object, headers = {}): Promise<ApiResponse> =>
  manager.put(path, { name: record.name, url: record.url, ...fields }, headers);
const stored = (): Promise<Organization | null> => service.stored<Organization>('Organization', record._id);

describe('PUT /organizations/:id', () => {
  it('replaces the Organization: what is left out is cleared', async () => {
    const fields = { name: 'Renamed Überall', url: 'http://new.example' };
    const response = await manager.put(path, fields);
    const { updatedAt } = response.body.data;
    expect(response).toMatchObject({ status: 200, headers: { etag: etag(1) } });
    const slugs = { slug: 'renamed-uberall', friendlySlugs: { slug: { base: 'renamed-uberall', index: 0 } } };
    expect(response.body.data).toEqual({ ...record, ...fields, ...slugs, description: '', updatedAt });
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
    expect((await manager.get(path)).body).toEqual(response.body.data);
  });

  it('changes nothing where nothing changes', async () => {
    const before = await stored();
    const response = await put({ description: ' Old\r\n', featuredApiIds: [], organizationLogoFileId: null });
    expect(response).toMatchObject({ status: 200, body: { data: record }, headers: { etag: etag(0) } });
    expect(await stored()).toEqual(before);
  });

  it.each<[string, () => unknown]>([
    ['name', () => `${record.name}.`],
    ['url', () => 'https://other.example'],
    ['description', () => ''],
    ['featuredApiIds', async () => [(await createApi(manager, record._id, { isPublic: true }))._id]],
    ['organizationLogoFileId', async () => (await uploaded(manager))._id],
  ])('takes a change of %s alone for a change, and its return for another', async (field, make) => {
    const value = await make();
    const response = await put({ ...record, [field]: value });
    expect(response).toMatchObject({ status: 200, headers: { etag: etag(1) }, body: { data: { [field]: value } } });
    expect((await manager.get(path)).body).toEqual(response.body.data);
    expect(await put(record)).toMatchObject({ status: 200, headers: { etag: etag(2) } });
    const { updatedAt: _, ...rest } = record;
    expect((await manager.get(path)).body).toMatchObject(rest);
  });

  it('treats another order of the featured APIs as a change', async () => {
    const apis = [await createApi(manager, record._id, { isPublic: true })];
    apis.push(await createApi(manager, record._id, { isPublic: true }));
    const featuredApiIds = apis.map(({ _id }) => _id);
    await put({ featuredApiIds });
    const turned = [...featuredApiIds].reverse();
    expect((await put({ featuredApiIds: turned })).headers.etag).toBe(etag(2));
    expect((await stored())?.featuredApiIds.map(String)).toEqual(turned);
  });

  it('lets the case of its own name change, and keeps the slug', async () => {
    const name = record.name.toUpperCase();
    expect((await put({ name })).body.data).toMatchObject({ name, slug: record.slug });
  });

  it('refuses the name of another, without regard to case', async () => {
    const other = await createOrganization(manager);
    const before = await stored();
    expectFailure(await put({ name: other.name.toUpperCase(), url: 'https://x.example' }), 'organizationNameTaken');
    expect(await stored()).toEqual(before);
  });

  it('is forbidden to a Manager who was removed, from the very next request on', async () => {
    const second = await newManager(service, record._id);
    expect((await second.put(path, { ...record, url: 'https://x.example' })).status).toBe(200);
    await manager.delete(`${path}/managers/${second.id}`);
    expectFailure(await second.put(path, { ...record, name: 'Stolen' }), 'forbidden');
  });

  it('is applied one after the other when many come at once, and once with the same If-Match', async () => {
    const versions = (headers = {}): Promise<ApiResponse[]> =>
      Promise.all([1, 2, 3].map((n) => put({ description: `Version ${n} ${JSON.stringify(headers)}` }, headers)));
    expect((await versions()).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await stored()).toMatchObject({ revision: 3 });
    expect((await versions(ifMatch(3))).map(({ status }) => status).sort()).toEqual([200, 412, 412]);
    expect(await stored()).toMatchObject({ revision: 4 });
  });
});
