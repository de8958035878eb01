import type { OrganizationDto } from '../../../src/registry/organizations/organization.dto';
import { Organization } from '../../../src/registry/organizations/organization.schema';
import { User } from '../../../src/registry/users/user.schema';
import { createApi } from '../apis/api-records';
import { uploaded } from '../files/uploads';
import { ApiResponse, Client } from '../../support/client';
import { expectError, expectFieldErrors } from '../../support/expect-error';
import {
  addManager,
  createOrganization,
  etag,
  idsOf,
  newManager,
  NOTHING,
  organizationBody,
} from '../../support/records';
import { useService } from '../../support/service';

const service = useService();
let manager: Client;
let record: OrganizationDto;
let path: string;
beforeAll(async () => {
  manager = await service.account();
});
beforeEach(async () => {
  for (const model of ['Organization', 'Api', 'File']) await service.model(model).deleteMany({});
  record = await createOrganization(manager, { description: 'Old' });
  path = `/organizations/${record._id}`;
});

const create = (fields?: object): Promise<ApiResponse> => manager.post('/organizations', organizationBody(fields));
const stored = (): Promise<Organization | null> => service.stored<Organization>('Organization', record._id);
const idsIn = async (model: string): Promise<string[]> =>
  (await service.model(model).find().distinct('_id')).map(String);

describe('POST /organizations', () => {
  it('creates an Organization with its creator as the first Manager, whose User it does not change', async () => {
    const fields = { name: 'Straße', url: 'https://nets.example/a?b#c', description: 'ΣΊΣΥΦΟΣ' };
    const response = await manager.post('/organizations', fields);
    const { _id, createdAt, ...rest } = response.body.data;
    expect(response).toMatchObject({ status: 201, headers: { location: `/organizations/${_id}`, etag: etag(0) } });
    expect(rest).toEqual({
      ...fields,
      slug: 'strasse',
      friendlySlugs: { slug: { base: 'strasse', index: 0 } },
      managerIds: [manager.id],
      createdBy: manager.id,
      organizationLogoFileId: null,
      featuredApiIds: [],
      contactName: null,
      contactEmail: null,
      contactPhone: null,
      contactUrl: null,
      externalId: null,
      updatedAt: createdAt,
    });
    expect((await manager.get(`/organizations/${_id}`)).body).toEqual(response.body.data);
    const user = await service.stored<User>('User', manager.id);
    expect(await service.stored<Organization>('Organization', _id)).toMatchObject({
      nameKey: 'strasse',
      searchText: 'strasse\nhttps://nets.example/a?b#c\nσίσυφοσ',
      managers: [{ _id: user?._id, createdBy: user?._id, createdAt: expect.any(Date) }],
      revision: 0,
    });
    expect(user).toMatchObject({ revision: 0, updatedAt: new Date(manager.user.updatedAt) });
  });
});

describe('PUT /organizations/:id', () => {
  it('replaces the Organization: what is left out is cleared', async () => {
    const fields = { name: 'Renamed Überall', url: 'http://new.example' };
    const response = await manager.put(path, fields);
    const { updatedAt } = response.body.data;
    expect(response).toMatchObject({ status: 200, headers: { etag: etag(1) } });
    const slugs = { slug: 'renamed-uberall', friendlySlugs: { slug: { base: 'renamed-uberall', index: 0 } } };
    expect(response.body.data).toEqual({ ...record, ...fields, ...slugs, description: '', updatedAt });
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

  it('takes the present Managers in any order, or none, and changes nothing about them', async () => {
    const { id } = await newManager(service, record._id);
    const unchanged = { status: 200, headers: { etag: (await manager.get(path)).headers.etag } };
    for (const managerIds of [[manager.id, id], [id, manager.id], null, undefined])
      expect(await manager.put(path, { ...record, managerIds })).toMatchObject(unchanged);
    for (const managerIds of [[manager.id, id, NOTHING], [manager.id, NOTHING], [id, id], id, { length: 2 }]) {
      const response = await manager.put(path, { ...record, managerIds });
      expectFieldErrors(response, ['changedElsewhere', 'managerIds']);
    }
    const refused = await manager.put(path, record);
    expectFieldErrors(refused, ['changedElsewhere', 'managerIds']);
    expect(refused.body.message).toMatchObject([{ detail: 'is changed under /organizations/:id/managers' }]);
    expect((await create({ managerIds: [manager.id] })).status).toBe(201);
    expectFieldErrors(await create({ managerIds: [id] }), ['changedElsewhere', 'managerIds']);
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
    for (const gone of [path, `${path}/managers`]) expectError(await manager.get(gone), 'organizationNotFound');
    expectError(await manager.delete(path), 'organizationNotFound');
    expect(idsOf(await manager.get(`/apis?slug=${apis[1]?.slug}`))).toEqual([]);
  });
});

describe('DELETE /users/:id of the last Manager', () => {
  it.each([
    [2, /: One, Two\.$/],
    [10, /: One, Two, 3, 4, 5, 6, 7, 8, 9, 10\.$/],
    [12, /: One, Two, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more\.$/],
  ])('is refused, and names at most ten Organizations of %i', async (count, names) => {
    const leaving = await service.account();
    const all = ['One', 'Two', ...Array.from({ length: 10 }, (_, index) => String(index + 3))];
    for (const name of all.slice(0, count)) await createOrganization(leaving, { name });
    const shared = await createOrganization(leaving);
    await addManager(leaving, shared._id, manager.id);
    expectError(await leaving.delete(`/users/${leaving.id}`), 'lastManager', expect.stringMatching(names));
    expect(await service.stored('User', leaving.id)).not.toBeNull();
    expect(await service.stored('Organization', shared._id)).toMatchObject({ managers: [{}, {}] });
    for (const _id of (await idsIn('Organization')).filter((id) => id !== shared._id))
      await service.admin.delete(`/organizations/${_id}`);
    expect((await leaving.delete(`/users/${leaving.id}`)).status).toBe(204);
    expect((await manager.get(`/organizations/${shared._id}`)).body.managerIds).toEqual([manager.id]);
  });
});

describe('ORGANIZATIONS_PER_USER', () => {
  const limited = useService({ ORGANIZATIONS_PER_USER: '3' });
  let user: Client;
  beforeEach(async () => {
    user = await limited.account();
  });
  const add = (by = user) => by.post('/organizations', organizationBody());
  const count = () => limited.model('Organization').countDocuments({ createdBy: user.id });

  it('holds for requests at the same time', async () => {
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => add()))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(3);
    expect(await count()).toBe(statuses.filter((status) => status === 201).length);
  });

  it('is how many Organizations that a User has created may exist', async () => {
    const created = [await add(), await add(), await add()];
    expect(created.map(({ status }) => status)).toEqual([201, 201, 201]);
    expectError(await add(), 'tooMany', 'You have reached your limit of 3 Organizations.');
    expect(await count()).toBe(3);
    await user.delete(created[1]!.headers.location!);
    expect((await add()).status).toBe(201);
  });

  it('does not hold for Admins', async () => {
    for (let created = 0; created < 5; created += 1) expect((await add(limited.admin)).status).toBe(201);
  });
});
