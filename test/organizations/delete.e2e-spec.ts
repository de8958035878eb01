import type { OrganizationDto } from '../../src/organizations/organization.dto';
import { createApi } from '../apis/api-records';
import { uploaded } from '../files/uploads';
import { Client } from '../support/client';
import { expectFailure } from '../support/expect-error';
import { createOrganization, idsOf } from '../support/records';
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
  record = await createOrganization(manager);
  path = `/organizations/${record._id}`;
});

const idsIn = async (model: string): Promise<string[]> =>
  (await service.model(model).find().distinct('_id')).map(String);

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

  it('lets its last Manager be deleted', async () => {
    const founder = await service.account();
    const { _id } = await createOrganization(founder);
    expectFailure(await founder.delete(`/users/${founder.id}`), 'lastManager', expect.any(String));
    await founder.delete(`/organizations/${_id}`);
    expect((await founder.delete(`/users/${founder.id}`)).status).toBe(204);
  });

  it('takes no query string', async () => {
    expectFailure(await manager.delete(`${path}?a=1`), 'invalidQuery', expect.any(String));
  });
});
