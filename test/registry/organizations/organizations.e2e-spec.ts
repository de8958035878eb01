import type { OrganizationDto } from '../../../src/registry/organizations/organization.dto';
import { Organization } from '../../../src/registry/organizations/organization.schema';
import { User } from '../../../src/registry/users/user.schema';
import { withKey } from '../api-keys/keys';
import { createApi } from '../apis/api-records';
import { uploaded } from '../files/uploads';
import { ApiResponse, Client } from '../../support/client';
import { expectError, expectFieldErrors } from '../../support/expect-error';
import {
  addManager,
  createOrganization,
  etag,
  idsOf,
  ifMatch,
  newManager,
  NOTHING,
  organizationBody,
} from '../../support/records';
import { useService } from '../../support/service';

const WHO = 'Only an Admin may set an externalId.';

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

const create = (fields: object, client = service.admin): Promise<ApiResponse> =>
  client.post('/organizations', organizationBody(fields));
const put = (changes: object, client = service.admin, headers = {}): Promise<ApiResponse> =>
  client.put(path, { ...record, ...changes }, headers);
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
    expect(refused.body.message).toMatchObject([{ detail: 'is changed under /organizations/:id/managers' }]);
    expect((await create({ managerIds: [manager.id] }, manager)).status).toBe(201);
    expectFieldErrors(await create({ managerIds: [id] }, manager), ['changedElsewhere', 'managerIds']);
  });
});

describe('DELETE /organizations/:id', () => {
  it('deletes the Organization, with its APIs and its logo, and nothing else', async () => {
    const other = await createOrganization(manager);
    const [kept, logo] = [await uploaded(manager), await uploaded(manager)];
    await manager.put(`/organizations/${other._id}`, { ...other, organizationLogoFileId: kept._id });
    await put({ organizationLogoFileId: logo._id }, manager);
    const apis = [await createApi(manager, other._id), await createApi(manager, record._id)];
    expect(await manager.delete(path)).toMatchObject({ status: 204, text: '' });
    const left = await Promise.all(['Organization', 'Api', 'File'].map(idsIn));
    expect(left).toEqual([[other._id], [apis[0]!._id], [kept._id]]);
    expectError(await manager.get(`${path}/managers`), 'organizationNotFound');
    expect(idsOf(await manager.get(`/apis?slug=${apis[1]!.slug}`))).toEqual([]);
  });
});

describe('DELETE /users/:id of the last Manager', () => {
  it('is refused, and names at most ten Organizations', async () => {
    const leaving = await service.account();
    for (let number = 1; number <= 12; number += 1) await createOrganization(leaving, { name: `No. ${number}` });
    const names = /: No\. 1, No\. 2, .*, No\. 10 and 2 more\.$/;
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

describe('externalId of an Organization', () => {
  it('is found in the form in which it was sent; what no Organization can have is no filter', async () => {
    const sent = ' Cafe\u0301 ';
    const { _id } = (await create({ externalId: sent })).body.data;
    expect(idsOf(await manager.get(`/organizations?externalId=${encodeURIComponent(sent)}`))).toEqual([_id]);
    for (const text of ['', ' ', '\u2800', 'a\u200b', 'x'.repeat(256)]) {
      const response = await manager.get(`/organizations?externalId=${encodeURIComponent(text)}`);
      expectError(response, 'invalidQuery', expect.stringContaining('"externalId"'));
    }
  });

  it('is set by Admins only, also with an API key; others may send back the current value', async () => {
    for (const send of [put, create]) expectError(await send({ externalId: ' x ' }, manager), 'forbidden', WHO);
    for (const externalId of [null, '', undefined]) expect((await put({ externalId }, manager)).status).toBe(200);
    const { program } = await withKey(await service.account({ roles: ['admin'] }));
    expect((await put({ externalId: 'by key' }, program)).body.data.externalId).toBe('by key');
    expect((await create({ externalId: 'another by key' }, program)).status).toBe(201);
    expect((await put({ externalId: 'by key' }, manager)).status).toBe(200);
    for (const externalId of [null, 'BY KEY']) expectError(await put({ externalId }, manager), 'forbidden', WHO);
  });

  it('of a caller who is no Admin is refused after field errors, and before 412 and 409', async () => {
    const externalId = 'taken';
    const other = (await create({ externalId })).body.data;
    const wrong = { externalId, name: other.name, organizationLogoFileId: NOTHING };
    for (const send of [put, create])
      expectFieldErrors(await send(wrong, manager), ['namesNothing', 'organizationLogoFileId']);
    expectError(await put({ externalId, name: other.name }, manager, ifMatch(9)), 'forbidden', WHO);
    const { _id: organizationLogoFileId } = await uploaded(manager);
    expectError(await create({ externalId, name: other.name, organizationLogoFileId }, manager), 'forbidden', WHO);
    expect(await service.stored('File', organizationLogoFileId)).toMatchObject({ organizationId: null });
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

  it('is how many Organizations that a User who is no Admin has created may exist', async () => {
    const created = [await add(), await add(), await add()];
    expect(created.map(({ status }) => status)).toEqual([201, 201, 201]);
    expectError(await add(), 'tooMany', 'You have reached your limit of 3 Organizations.');
    expect(await count()).toBe(3);
    await user.delete(created[1]!.headers.location!);
    expect((await add()).status).toBe(201);
    for (let made = 0; made < 4; made += 1) expect((await add(limited.admin)).status).toBe(201);
  });
});
