import { User } from '../../src/users/user.schema';
import { ApiResponse, Client } from '../support/client';
import { expectFailure } from '../support/expect-error';
import { etag, ifMatch } from '../support/records';
import { ADMIN, Service, startService } from '../support/service';

let service: Service;
let account: Client;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await service.account();
});

const put = (changes: object, headers = {}, client = account): Promise<ApiResponse> =>
  client.put(`/users/${account.id}`, account.userBody(changes), headers);
const stored = (): Promise<User | null> => service.stored<User>('User', account.id);

describe('PUT /users/:id', () => {
  it('replaces the fields and keeps everything that it does not name', async () => {
    const before = await stored();
    const fields = { username: `${account.user.username}-B`, companyName: 'Bögen' };
    const response = await put(fields);
    const { updatedAt } = response.body.data;
    expect(response).toMatchObject({ status: 200, headers: { etag: etag(1) } });
    expect(response.body).toEqual({ status: 'success', data: { ...account.user, ...fields, updatedAt } });
    expect(Date.parse(updatedAt)).toBeGreaterThan(Date.parse(account.user.createdAt));
    const usernameKey = fields.username.toLowerCase();
    const searchText = `${usernameKey}\nbögen\n${account.user.email}`;
    const { passwordHash, roles, sessions } = before!;
    const kept = { passwordHash, roles, sessions };
    expect(await stored()).toMatchObject({ ...fields, ...kept, usernameKey, searchText, revision: 1 });
  });

  it('finds the User by the new name at once, and no longer by the old one', async () => {
    await put({ username: 'renamed' });
    await service.logIn({ username: 'RENAMED', password: account.password });
    const { password, user } = account;
    expectFailure(await service.nobody.post('/sessions', { username: user.username, password }), 'wrongLogin');
  });

  it.each([
    ['username', ['second-name', 'third-name']],
    ['email', ['second@roster.example', 'third@roster.example']],
  ] as const)('frees each %s that a User gives up', async (field, [second, third]) => {
    await put({ [field]: second });
    await put({ [field]: third });
    for (const value of [account.user[field], second])
      expect((await service.registered({ [field]: value })).user).toMatchObject({ [field]: value });
    expect(await stored()).toMatchObject({ [field]: third, revision: 2 });
  });

  it('changes nothing where nothing changes', async () => {
    const before = await stored();
    const { body } = await put({ username: ` ${account.user.username} `, roles: [], password: null });
    expect(body.data).toEqual(account.user);
    expect(await stored()).toEqual(before);
  });

  it('lets Users change the case of their own name', async () => {
    const username = account.user.username.toUpperCase();
    expect((await put({ username })).body.data.username).toBe(username);
  });

  it.each([
    ['usernameTaken', { username: ADMIN.username.toUpperCase() }],
    ['emailTaken', { email: ADMIN.email.toUpperCase() }],
  ] as const)('refuses what another User has: %s', async (error, fields) => {
    const before = await stored();
    expectFailure(await put(fields), error);
    expect(await stored()).toEqual(before);
  });

  it('has an ETag that does not change with logins', async () => {
    await service.logIn({ username: account.user.username, password: account.password });
    expect((await put({ companyName: 'New' }, ifMatch(0))).status).toBe(200);
  });
});

describe('the role of Admin', () => {
  const admins = async (): Promise<string[]> =>
    (
      await service.model<User>('User').find({ roles: 'admin' }).sort({ _id: 1 }).schemaLevelProjections(false).lean()
    ).map(({ _id }) => String(_id));
  const readAdmin = (): Promise<ApiResponse> => account.get(`/users/${service.admin.id}`);

  it('is given and taken by Admins, from the very next request on', async () => {
    const given = await put({ roles: ['admin'] }, {}, service.admin);
    expect(given).toMatchObject({ status: 200, body: { data: { roles: ['admin'] } }, headers: { etag: etag(1) } });
    expect(await admins()).toEqual([service.admin.id, account.id]);
    expect((await readAdmin()).status).toBe(200);
    expect((await put({ roles: [] }, {}, service.admin)).body.data.roles).toEqual([]);
    expect(await admins()).toEqual([service.admin.id]);
    expectFailure(await readAdmin(), 'forbidden');
  });

  it('cannot be granted by others, who may send back the current value', async () => {
    expectFailure(await put({ roles: ['admin'], companyName: 'New' }), 'forbidden');
    expect(await stored()).toMatchObject({ roles: [], revision: 0 });
    expect((await put({ roles: [], companyName: 'New' })).status).toBe(200);
  });

  it('can be given up', async () => {
    account = await service.account({ roles: ['admin'] });
    expect(await admins()).toEqual([service.admin.id, account.id]);
    expect((await put({ roles: [] })).status).toBe(200);
    expectFailure(await put({ roles: ['admin'] }), 'forbidden');
  });

  it('stays with the last Admin', async () => {
    const { admin } = service;
    const response = await admin.put(`/users/${admin.id}`, admin.userBody({ roles: [], companyName: 'New' }));
    expectFailure(response, 'lastAdmin');
    expect((await admin.get(`/users/${admin.id}`)).body).toEqual(admin.user);
  });

  it('is not given with a name that is taken: both or nothing', async () => {
    expectFailure(await put({ roles: ['admin'], username: 'ADMIN' }, {}, service.admin), 'usernameTaken');
    expect(await admins()).toEqual([service.admin.id]);
  });
});
