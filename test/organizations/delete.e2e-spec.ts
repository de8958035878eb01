import type { File } from '../../src/files/file.schema';
import type { OrganizationDto } from '../../src/organizations/organization.dto';
import { createApi } from '../apis/api-records';
import { uploaded } from '../files/uploads';
import { Client } from '../support/client';
import { expectFailure } from '../support/expect-error';
import { addManager, createOrganization, NOTHING } from '../support/records';
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

const exists = async (): Promise<boolean> => (await service.model('Organization').exists({ _id: record._id })) !== null;

describe('DELETE /organizations/:id', () => {
  it('deletes the Organization', async () => {
    const answer = await manager.delete(path);
    expect(answer).toMatchObject({ status: 204, text: '' });
    expect(await exists()).toBe(false);
    expectFailure(await manager.get(path), 'organizationNotFound');
    expectFailure(await manager.get(`${path}/managers`), 'organizationNotFound');
    expectFailure(await manager.delete(path), 'organizationNotFound');
  });

  it('takes its Apis and its logo with it, and nobody else’s', async () => {
    const other = await createOrganization(manager);
    const [kept, theirs] = [await uploaded(manager), await uploaded(manager)];
    await manager.put(`/organizations/${other._id}`, { ...other, organizationLogoFileId: kept._id });
    await manager.put(path, { ...record, organizationLogoFileId: theirs._id });
    const apis = [await createApi(manager, other._id), await createApi(manager, record._id)];
    expect((await manager.delete(path)).status).toBe(204);
    expect(await service.model('Api').find().lean()).toMatchObject([{ name: apis[0]?.name }]);
    const files = await service.model<File>('File').find().lean();
    expect(files.map((file) => file._id.toHexString())).toEqual([kept._id]);
  });

  it('frees its name and all its slugs', async () => {
    const { name, url, slug } = record;
    await manager.put(path, { name: `${name} renamed`, url });
    await manager.delete(path);
    const again = await createOrganization(manager, { name });
    expect(again).toMatchObject({ name, slug });
  });

  it('is for Managers and Admins', async () => {
    const [stranger, second] = [await service.account(), await service.account()];
    expectFailure(await stranger.delete(path), 'forbidden');
    expect(await exists()).toBe(true);
    await addManager(manager, record._id, second.id);
    expect((await second.delete(path)).status).toBe(204);
    const other = await createOrganization(manager);
    expect((await service.admin.delete(`/organizations/${other._id}`)).status).toBe(204);
  });

  it('lets its last Manager be deleted', async () => {
    const founder = await service.account();
    const { _id } = await createOrganization(founder);
    expectFailure(await founder.delete(`/users/${founder.id}`), 'lastManager', expect.any(String));
    await founder.delete(`/organizations/${_id}`);
    expect((await founder.delete(`/users/${founder.id}`)).status).toBe(204);
  });

  it.each(['"1-1"', 'W/"1-0"', 'x'])('is kept out by If-Match: %s', async (tag) => {
    expectFailure(await manager.delete(path, { 'if-match': tag }), 'preconditionFailed');
    expect(await exists()).toBe(true);
  });

  it.each(['"1-0"', '*'])('passes with If-Match: %s', async (tag) => {
    expect((await manager.delete(path, { 'if-match': tag })).status).toBe(204);
  });

  it('ignores a body, and takes no query string', async () => {
    const withBody = { method: 'DELETE', path, payload: '{"broken', headers: { 'content-type': 'text/html' } } as const;
    expectFailure(await manager.delete(`${path}?a=1`), 'invalidQuery', expect.any(String));
    expect((await manager.send(withBody)).status).toBe(204);
  });

  it('answers one of two at once with 404', async () => {
    const answers = await Promise.all([manager.delete(path), manager.delete(path)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
  });

  it('finds nothing to delete by an id of nothing', async () => {
    expectFailure(await service.admin.delete(`/organizations/${NOTHING}`), 'organizationNotFound');
  });
});
