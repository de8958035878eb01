import type { OrganizationDto } from '../../src/organizations/organization.dto';
import { Organization } from '../../src/organizations/organization.schema';
import { createApi } from '../apis/api-records';
import { uploaded } from '../files/uploads';
import { ApiResponse, Client } from '../support/client';
import { expectFailure } from '../support/expect-error';
import { addManager, createOrganization, etag, idsOf } from '../support/records';
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
  for (const model of ['Organization', 'Api', 'File']) await service.model(model).deleteMany({});
  record = await createOrganization(manager, { description: 'Old' });
  path = `/organizations/${record._id}`;
});

const put = (fields: object): Promise<ApiResponse> =>
  manager.put(path, { name: record.name, url: record.url, ...fields });
const stored = (): Promise<Organization | null> => service.stored<Organization>('Organization', record._id);
const idsIn = async (model: string): Promise<string[]> =>
  (await service.model(model).find().distinct('_id')).map(String);

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
});

describe('DELETE /organizations/:id', () => {
  it('deletes the Organization, with its APIs and its logo, and nothing else', async () => {
    const other = await createOrganization(manager);
    const [kept, logo] = [await uploaded(manager), await uploaded(manager)];
    await manager.put(`/organizations/${other._id}`, { ...other, organizationLogoFileId: kept._id });
    await manager.put(path, { ...record, organizationLogoFileId: logo._id });
    const apis = [await createApi(manager, other._id), await createApi(manager, record._id)];
    expect(await manager.delete(path)).toMatchObject({ status: 204, text: '' });
    expect(await idsIn('Organization')).toEqual([other._id]);
    expect(await idsIn('Api')).toEqual([apis[0]?._id]);
    expect(await idsIn('File')).toEqual([kept._id]);
    for (const gone of [path, `${path}/managers`]) expectFailure(await manager.get(gone), 'organizationNotFound');
    expectFailure(await manager.delete(path), 'organizationNotFound');
    expect(idsOf(await manager.get(`/apis?slug=${apis[1]?.slug}`))).toEqual([]);
  });

  it('frees its name and all its slugs', async () => {
    const { name, url, slug } = record;
    await manager.put(path, { name: `${name} renamed`, url });
    await manager.delete(path);
    expect(await createOrganization(manager, { name })).toMatchObject({ name, slug });
  });
});

describe('DELETE /users/:id of the last Manager', () => {
  it.each([
    [2, /: One, Two\.$/],
    [10, /: One, Two, 3, 4, 5, 6, 7, 8, 9, 10\.$/],
    [12, /: One, Two, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more\.$/],
  ])('is refused, and names at most ten Organizations of %i', async (count, names) => {
    const founder = await service.account();
    const all = ['One', 'Two', ...Array.from({ length: 10 }, (_, index) => String(index + 3))];
    for (const name of all.slice(0, count)) await createOrganization(founder, { name });
    const shared = await createOrganization(founder);
    await addManager(founder, shared._id, manager.id);
    expectFailure(await founder.delete(`/users/${founder.id}`), 'lastManager', expect.stringMatching(names));
    expect(await service.stored('User', founder.id)).not.toBeNull();
    expect(await service.stored('Organization', shared._id)).toMatchObject({ managers: [{}, {}] });
    for (const _id of (await idsIn('Organization')).filter((id) => id !== shared._id))
      await service.admin.delete(`/organizations/${_id}`);
    expect((await founder.delete(`/users/${founder.id}`)).status).toBe(204);
    expect((await manager.get(`/organizations/${shared._id}`)).body.managerIds).toEqual([manager.id]);
  });
});
