import { AdminList, User } from '../../src/users/user.schema';
import { ApiResponse, Client } from '../support/client';
import { expectFailure } from '../support/expect-error';
import { Service, startService } from '../support/service';

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.stop());

const put = (client: Client, user: Client, fields: object): Promise<ApiResponse> =>
  client.put(`/users/${user.id}`, { ...user.user, ...fields });
const rolesOf = async (user: Client): Promise<unknown> =>
  (await service.model<User>('User').findById(user.id).lean())?.roles;
const admins = async (): Promise<string[]> =>
  ((await service.model<AdminList>('AdminList').findOne().lean())?.userIds ?? []).map(String);

describe('the role of Admin', () => {
  it('is given and taken by Admins, and works on the very next request', async () => {
    const account = await service.account();
    expectFailure(await account.get(`/users/${service.admin.id}`), 'forbidden');
    const given = await put(service.admin, account, { roles: ['admin'] });
    expect(given).toMatchObject({ status: 200, body: { data: { roles: ['admin'] } }, headers: { etag: '"1-1"' } });
    expect(await admins()).toEqual([service.admin.id, account.id]);
    expect((await account.get(`/users/${service.admin.id}`)).status).toBe(200);

    const taken = await put(service.admin, account, { roles: [] });
    expect(taken.body.data.roles).toEqual([]);
    expect(await admins()).toEqual([service.admin.id]);
    expectFailure(await account.get(`/users/${service.admin.id}`), 'forbidden');
  });

  it('is not for others to give', async () => {
    const account = await service.account();
    expectFailure(await put(account, account, { roles: ['admin'], companyName: 'New' }), 'forbidden');
    expect(await rolesOf(account)).toEqual([]);
    expect(await admins()).toEqual([service.admin.id]);
  });

  it('may be sent back by others as it is', async () => {
    const account = await service.account();
    expect((await put(account, account, { roles: [], companyName: 'New' })).status).toBe(200);
  });

  it('may be laid down by an Admin, who then is none', async () => {
    const admin = await service.account({ roles: ['admin'] });
    expect((await put(admin, admin, { roles: [] })).status).toBe(200);
    expectFailure(await put(admin, admin, { roles: ['admin'] }), 'forbidden');
  });

  it('stays with the last Admin', async () => {
    expectFailure(await put(service.admin, service.admin, { roles: [], companyName: 'New' }), 'lastAdmin');
    expect(await rolesOf(service.admin)).toEqual(['admin']);
    expect(await admins()).toEqual([service.admin.id]);
    expect((await service.admin.get(`/users/${service.admin.id}`)).body).toEqual(service.admin.user);
  });

  it('is not given with a name that is taken: both or nothing', async () => {
    const account = await service.account();
    const answer = await put(service.admin, account, { roles: ['admin'], username: 'ADMIN' });
    expectFailure(answer, 'usernameTaken');
    expect(await rolesOf(account)).toEqual([]);
    expect(await admins()).toEqual([service.admin.id]);
  });
});
