import { User } from '../../../src/registry/users/user.schema';
import { ApiResponse, Client } from '../../support/client';
import { expectError, expectFieldErrors } from '../../support/expect-error';
import { etag, idsOf } from '../../support/records';
import { useService } from '../../support/service';

const PASSWORD = 'another password';

const service = useService();
let account: Client;
beforeEach(async () => {
  account = await service.account();
});

const put = (changes: object, headers = {}, client = account): Promise<ApiResponse> =>
  client.put(`/users/${account.id}`, account.userBody(changes), headers);
const stored = (): Promise<User | null> => service.stored<User>('User', account.id);
const login = (password: string): Promise<ApiResponse> =>
  service.nobody.post('/sessions', { username: account.user.username, password });

describe('PUT /users/:id', () => {
  it('replaces the fields and keeps everything that it does not name', async () => {
    const before = await stored();
    const fields = { username: `${account.user.username}-B`, companyName: 'Bögen' };
    const response = await put({ ...fields, password: null }, {}, service.admin);
    const { updatedAt } = response.body.data;
    expect(response).toMatchObject({ status: 200, headers: { etag: etag(1) } });
    expect(response.body).toEqual({ status: 'success', data: { ...account.user, ...fields, updatedAt } });
    const usernameKey = fields.username.toLowerCase();
    const searchText = `${usernameKey}\nbögen\n${account.user.email}`;
    const { passwordHash, roles, sessions } = before!;
    const kept = { passwordHash, roles, sessions };
    expect(await stored()).toMatchObject({ ...fields, ...kept, usernameKey, searchText, revision: 1 });
  });

  it('finds the User by the new name at once, and no longer by the old one', async () => {
    await put({ username: 'renamed' }, {}, service.admin);
    expect((await put({ username: 'Renamed' }, {}, service.admin)).body.data.username).toBe('Renamed');
    await service.logIn({ username: 'RENAMED', password: account.password });
    expectError(await login(account.password), 'wrongLogin');
  });
});

it('the role of Admin is given and taken by Admins, from the very next request on', async () => {
  const admins = async (): Promise<string[]> =>
    (await service.model('User').find({ roles: 'admin' }).sort({ _id: 1 }).lean()).map(({ _id }) => String(_id));
  const asAdmin = (): Promise<ApiResponse> => account.get('/users?role=admin');
  const given = await put({ roles: ['admin'] }, {}, service.admin);
  expect(given).toMatchObject({ status: 200, body: { data: { roles: ['admin'] } }, headers: { etag: etag(1) } });
  expect(await admins()).toEqual([service.admin.id, account.id]);
  expect(idsOf(await asAdmin())).toEqual([service.admin.id, account.id]);
  expect((await put({ roles: [] }, {}, service.admin)).body.data.roles).toEqual([]);
  expect(await admins()).toEqual([service.admin.id]);
  expectError(await asAdmin(), 'forbidden');
});

it.each([
  ['roles', ['admin'], [[], null, undefined], 'Only an Admin may set roles.'],
  ['isSuspended', true, [false, null, undefined], 'Only an Admin may suspend a User.'],
  ['externalId', 'x', [null, '', undefined], 'Only an Admin may set an externalId.'],
] as const)('%s is set by Admins only; others may send back the current value', async (field, value, same, who) => {
  expectError(await put({ [field]: value, companyName: 'New' }), 'forbidden', who);
  for (const current of same) expect((await put({ [field]: current })).status).toBe(200);
  expect(await stored()).toMatchObject({ revision: 0 });
});

describe('a new password', () => {
  it('needs the current one, and ends the other sessions', async () => {
    const { password, user } = account;
    const other = await service.logIn({ username: user.username, password });
    const response = await put({ password: PASSWORD, currentPassword: password });
    expect(response).toMatchObject({ status: 200, headers: { etag: etag(1) } });
    expect((await stored())?.sessions.map(({ _id }) => _id.toHexString())).toEqual([account.session._id]);
    expectError(await other.get('/sessions'), 'accountGone');
    expectError(await service.nobody.post('/tokens', { refreshToken: other.refreshToken }), 'refreshTokenUnusable');
    expect((await account.get('/sessions')).status).toBe(200);
    expectError(await login(password), 'wrongLogin');
    expect((await login(PASSWORD)).status).toBe(201);
  });

  it('set by an Admin needs nothing, and ends all sessions', async () => {
    expect((await put({ password: PASSWORD }, {}, service.admin)).status).toBe(200);
    expect((await stored())?.sessions).toEqual([]);
    expectError(await account.get('/sessions'), 'accountGone');
    expect((await login(PASSWORD)).status).toBe(201);
  });

  it('of an Admin themselves needs the current one, too', async () => {
    const { admin } = service;
    const response = await admin.put(`/users/${admin.id}`, admin.userBody({ password: PASSWORD }));
    expectFieldErrors(response, ['missing', 'currentPassword']);
  });

  it.each([
    ['missing', undefined],
    ['missing', null],
    ['blank', ''],
    ['wrongCurrentPassword', 'not the password'],
    ['wrongCurrentPassword', ' the password of the tests'],
  ] as const)('changes nothing with a current password that is %s: %j', async (error, currentPassword) => {
    const before = await stored();
    const response = await put({ password: PASSWORD, companyName: 'New', currentPassword });
    expectFieldErrors(response, [error, 'currentPassword']);
    expect(await stored()).toEqual(before);
  });

  it('that is already theirs is no change', async () => {
    await login(account.password);
    const before = await stored();
    const { password, user } = account;
    for (const currentPassword of [undefined, password, 'not the password'])
      expect((await put({ password, currentPassword })).body.data).toEqual(user);
    expect((await put({ password }, {}, service.admin)).body.data).toEqual(user);
    expect(await stored()).toEqual(before);
  });
});

it('a current password without a new one is ignored', async () => {
  const { body } = await put({ currentPassword: 'not the password', companyName: 'New' });
  expect(body.data.companyName).toBe('New');
});
