import { Organization } from '../../src/organizations/organization.schema';
import { AdminList } from '../../src/users/user.schema';
import { Client } from '../support/client';
import { expectFailure } from '../support/expect-error';
import { addManager, createOrganization } from '../support/records';
import { uploaded } from '../files/uploads';
import { Service, startService } from '../support/service';

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.stop());

const pathOf = ({ id }: Client): string => `/users/${id}`;
const exists = async ({ id }: Client): Promise<boolean> => (await service.model('User').exists({ _id: id })) !== null;
const organization = (_id: string): Promise<Organization | null> =>
  service.model<Organization>('Organization').findById(_id).lean();

describe('DELETE /users/:id', () => {
  it('deletes the User and ends their sessions at once', async () => {
    const account = await service.account();
    const answer = await account.delete(pathOf(account));
    expect(answer).toMatchObject({ status: 204, text: '' });
    expect(await exists(account)).toBe(false);
    expectFailure(await account.get('/sessions'), 'accountGone');
    expectFailure(await service.nobody.post('/tokens', { refreshToken: account.refreshToken }), 'refreshTokenUnusable');
    expectFailure(await service.admin.get(pathOf(account)), 'userNotFound');
    expectFailure(await service.admin.delete(pathOf(account)), 'userNotFound');
  });

  it('is for that User and Admins only', async () => {
    const [account, other] = [await service.account(), await service.account()];
    expectFailure(await other.delete(pathOf(account)), 'forbidden');
    expect(await exists(account)).toBe(true);
    expect((await service.admin.delete(pathOf(account))).status).toBe(204);
  });

  it('frees username and e-mail address', async () => {
    const account = await service.account();
    await service.admin.delete(pathOf(account));
    const { username, email } = account.user;
    const again = await service.account({ username, email });
    expect(again.id).not.toBe(account.id);
  });

  it('takes the User out of every Organization, whose revision rises', async () => {
    const [founder, leaver] = [await service.account(), await service.account()];
    const { _id } = await createOrganization(founder);
    await addManager(founder, _id, leaver.id);
    const { updatedAt } = (await founder.get(`/organizations/${_id}`)).body;
    await leaver.delete(pathOf(leaver));
    const answer = await founder.get(`/organizations/${_id}`);
    expect(answer.body.managerIds).toEqual([founder.id]);
    expect(answer.headers.etag).toBe('"1-2"');
    expect(Date.parse(answer.body.updatedAt)).toBeGreaterThan(Date.parse(updatedAt));
    expect((await organization(_id))?.managers).toHaveLength(1);
  });

  it('leaves the Organizations of others as they are', async () => {
    const [founder, stranger] = [await service.account(), await service.account()];
    const { _id } = await createOrganization(founder);
    const before = await organization(_id);
    expect((await stranger.delete(pathOf(stranger))).status).toBe(204);
    expect(await organization(_id)).toEqual(before);
  });

  it('deletes the User’s Files, but for a logo and those of others', async () => {
    const [founder, other] = [await service.account(), await service.account()];
    const [kept] = [await uploaded(other), await uploaded(founder)];
    const logo = await uploaded(founder);
    const { _id } = await createOrganization(founder, { organizationLogoFileId: logo._id });
    await addManager(founder, _id, other.id);
    expect((await founder.delete(pathOf(founder))).status).toBe(204);
    const files = await service.model('File').find().distinct('_id');
    expect(files.map(String).sort()).toEqual([kept._id, logo._id].sort());
    expect((await other.get(`/files/${logo._id}`)).status).toBe(200);
  });

  it('leaves the creator of what others manage named', async () => {
    const [founder, other] = [await service.account(), await service.account()];
    const { _id } = await createOrganization(founder);
    await addManager(founder, _id, other.id);
    await founder.delete(pathOf(founder));
    expect((await other.get(`/organizations/${_id}`)).body.createdBy).toBe(founder.id);
  });

  it('keeps the last Manager of an Organization, and names it', async () => {
    const founder = await service.account();
    const [kept, other] = [await createOrganization(founder), await createOrganization(founder)];
    const second = await service.account();
    await addManager(founder, other._id, second.id);
    const answer = await founder.delete(pathOf(founder));
    expectFailure(answer, 'lastManager', expect.stringContaining(kept.name));
    expect(answer.body.message).not.toContain(other.name);
    expect(await exists(founder)).toBe(true);
    expect((await organization(other._id))?.managers).toHaveLength(2);
    expect((await founder.get('/sessions')).status).toBe(200);
  });

  it.each([
    [2, 'One, Two'],
    [10, 'One, Two, 3, 4, 5, 6, 7, 8, 9, 10'],
    [12, 'One, Two, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more'],
  ])('names ten Organizations at most, of %i', async (count, names) => {
    const founder = await service.account();
    const all = ['One', 'Two', ...Array.from({ length: 10 }, (_, index) => String(index + 3))];
    for (const name of all.slice(0, count)) await createOrganization(founder, { name });
    const answer = await founder.delete(pathOf(founder));
    expectFailure(answer, 'lastManager', `The User is the last Manager of: ${names}.`);
    expect(await exists(founder)).toBe(true);
  });

  it('keeps the last Admin, before it looks at Organizations', async () => {
    await createOrganization(service.admin);
    expectFailure(await service.admin.delete(pathOf(service.admin)), 'lastAdmin');
    expect(await exists(service.admin)).toBe(true);
  });

  it('deletes an Admin where there is another', async () => {
    const admin = await service.account({ roles: ['admin'] });
    expect((await admin.delete(pathOf(admin))).status).toBe(204);
    const list = await service.model<AdminList>('AdminList').findOne().lean();
    expect(list?.userIds.map(String)).toEqual([service.admin.id]);
  });

  it('leaves an Admin an Admin who cannot be deleted', async () => {
    const admin = await service.account({ roles: ['admin'] });
    await createOrganization(admin);
    expectFailure(await admin.delete(pathOf(admin)), 'lastManager', expect.any(String));
    const list = await service.model<AdminList>('AdminList').findOne().lean();
    expect(list?.userIds.map(String)).toContain(admin.id);
  });

  it('compares If-Match inside the write', async () => {
    const account = await service.account();
    expectFailure(await account.delete(pathOf(account), { 'if-match': '"1-1"' }), 'preconditionFailed');
    expect(await exists(account)).toBe(true);
    expect((await account.delete(pathOf(account), { 'if-match': '"1-0"' })).status).toBe(204);
  });

  it('judges If-Match before it judges what keeps the User', async () => {
    const answer = await service.admin.delete(pathOf(service.admin), { 'if-match': '"1-1"' });
    expectFailure(answer, 'preconditionFailed');
  });

  it('ignores a body', async () => {
    const account = await service.account();
    const answer = await account.send({ method: 'DELETE', path: pathOf(account), payload: '{"broken' });
    expect(answer.status).toBe(204);
  });
});
