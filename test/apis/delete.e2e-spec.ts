import type { ApiDto } from '../../src/apis/api.dto';
import type { OrganizationDto } from '../../src/organizations/organization.dto';
import { Client } from '../support/client';
import { expectFailure } from '../support/expect-error';
import { createOrganization, idsOf, NOTHING } from '../support/records';
import { Service, startService } from '../support/service';
import { createApi, feature, storedApi, storedOrganization } from './api-records';

let service: Service;
let manager: Client;
let organization: OrganizationDto;
let api: ApiDto;
let path: string;
beforeAll(async () => {
  service = await startService();
  manager = await service.account();
});
afterAll(() => service.stop());
beforeEach(async () => {
  organization = await createOrganization(manager);
  api = await createApi(manager, organization._id, { isPublic: true });
  path = `/apis/${api._id}`;
});

describe('DELETE /apis/:id', () => {
  it('deletes the Api, counts one less, and frees its name and slug', async () => {
    expect(await manager.delete(path)).toMatchObject({ status: 204, text: '' });
    expectFailure(await manager.get(path), 'apiNotFound');
    expectFailure(await manager.delete(path), 'apiNotFound');
    expect(await storedApi(service, api)).toBeNull();
    expect(await storedOrganization(service, organization)).toMatchObject({ apiCount: 0, revision: 0 });
    expect(await createApi(manager, organization._id, { name: api.name })).toMatchObject({ slug: api.slug });
  });

  it('deletes that one, and counts it off its own Organization', async () => {
    const other = await createOrganization(manager);
    const [mine, theirs] = [await createApi(manager, organization._id), await createApi(manager, other._id)];
    await manager.delete(`/apis/${theirs._id}`);
    expect(await storedApi(service, theirs)).toBeNull();
    for (const kept of [api, mine]) expect((await manager.get(`/apis/${kept._id}`)).body).toEqual(kept);
    expect(await storedOrganization(service, organization)).toMatchObject({ apiCount: 2 });
    expect(await storedOrganization(service, other)).toMatchObject({ apiCount: 0 });
  });

  it('takes it out of the featured Apis, and the Organization shows the change', async () => {
    const other = await createApi(manager, organization._id, { isPublic: true });
    await feature(manager, organization, api, other);
    await manager.delete(path);
    const { body, headers } = await manager.get(`/organizations/${organization._id}`);
    expect({ ids: body.featuredApiIds, etag: headers.etag }).toEqual({ ids: [other._id], etag: '"1-2"' });
    expect(body.updatedAt > organization.updatedAt).toBe(true);
  });

  it('deletes nothing when If-Match does not match', async () => {
    expectFailure(await manager.delete(path, { 'if-match': '"1-1"' }), 'preconditionFailed');
    expect(await manager.delete(path, { 'if-match': '"1-0"' })).toMatchObject({ status: 204 });
  });

  it('is for the Managers of the Organization and Admins', async () => {
    const other = await service.account();
    expectFailure(await service.nobody.delete(path), 'noCredentials');
    expectFailure(await other.delete(path), 'forbidden');
    expectFailure(await other.delete(`/apis/${NOTHING}`), 'apiNotFound');
    expect(await service.admin.delete(path)).toMatchObject({ status: 204 });
  });

  it('deletes nothing when the Organization cannot be written', async () => {
    await feature(manager, organization, api);
    const organizations = service.model('Organization');
    const write = organizations.updateOne.bind(organizations);
    const lost = jest.spyOn(organizations, 'updateOne').mockImplementationOnce(write);
    lost.mockImplementationOnce(() => {
      throw new Error('lost');
    });
    expectFailure(await manager.delete(path), 'unexpected');
    lost.mockRestore();
    expect((await manager.get(path)).body).toEqual(api);
    expect((await manager.get(`/organizations/${organization._id}`)).body.featuredApiIds).toEqual([api._id]);
    expect(await storedOrganization(service, organization)).toMatchObject({ apiCount: 1 });
  });
});

describe('DELETE /organizations/:id', () => {
  it('takes its Apis with it, frees their slugs, and leaves those of others', async () => {
    const elsewhere = await createApi(manager, (await createOrganization(manager))._id);
    expect(await manager.delete(`/organizations/${organization._id}`)).toMatchObject({ status: 204 });
    expectFailure(await manager.get(path), 'apiNotFound');
    expect(await storedApi(service, api)).toBeNull();
    expect(idsOf(await manager.get(`/apis?slug=${api.slug}`))).toEqual([]);
    expect(await manager.get(`/apis/${elsewhere._id}`)).toMatchObject({ status: 200 });
  });

  it('deletes neither when the Apis cannot be deleted', async () => {
    const lost = jest.spyOn(service.model('Api'), 'deleteMany').mockImplementationOnce(() => {
      throw new Error('lost');
    });
    expectFailure(await manager.delete(`/organizations/${organization._id}`), 'unexpected');
    lost.mockRestore();
    expect(await manager.get(`/organizations/${organization._id}`)).toMatchObject({ status: 200 });
    expect(await manager.get(path)).toMatchObject({ status: 200 });
  });
});
