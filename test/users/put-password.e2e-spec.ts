import { User } from '../../src/users/user.schema';
import { ApiResponse, Client } from '../support/client';
import { expectFailure, expectFaults } from '../support/expect-error';
import { Service, startService } from '../support/service';

let service: Service;
let account: Client;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await service.account();
});

const PASSWORD = 'another password';
const stored = (): Promise<User | null> => service.model<User>('User').findById(account.id).lean();
const change = (client: Client, fields: object, headers?: Record<string, string>): Promise<ApiResponse> =>
  client.put(`/users/${account.id}`, { ...account.user, ...fields }, headers);
const login = (password: string): Promise<ApiResponse> =>
  service.nobody.post('/sessions', { username: account.user.username, password });

describe('a new password', () => {
  it('of one’s own asks for the present one and ends the other sessions', async () => {
    const { username } = account.user;
    const other = await service.logIn({ username, password: account.password });
    const answer = await change(account, { password: PASSWORD, currentPassword: account.password });
    expect(answer).toMatchObject({ status: 200, headers: { etag: '"1-1"' } });
    expect((await stored())?.sessions.map(({ _id }) => _id.toHexString())).toEqual([account.session._id]);
    expectFailure(await other.get('/sessions'), 'accountGone');
    expectFailure(await service.nobody.post('/tokens', { refreshToken: other.refreshToken }), 'refreshTokenUnusable');
    expect((await account.get('/sessions')).status).toBe(200);
    expectFailure(await login(account.password), 'wrongLogin');
    expect((await login(PASSWORD)).status).toBe(201);
  });

  it('set by an Admin asks for nothing and ends all sessions', async () => {
    const answer = await change(service.admin, { password: PASSWORD });
    expect(answer.status).toBe(200);
    expect((await stored())?.sessions).toEqual([]);
    expectFailure(await account.get('/sessions'), 'accountGone');
    expect((await login(PASSWORD)).status).toBe(201);
  });

  it('of an Admin’s own asks for the present one, too', async () => {
    const admin = await service.account({ roles: ['admin'] });
    const body = { ...admin.user, password: PASSWORD };
    expectFaults(await admin.put(`/users/${admin.id}`, body), ['missing', 'currentPassword']);
  });

  it.each([
    ['missing', {}],
    ['missing', { currentPassword: null }],
    ['blank', { currentPassword: '' }],
    ['wrongCurrentPassword', { currentPassword: 'not the password' }],
    ['wrongCurrentPassword', { currentPassword: ' the password 1' }],
  ] as const)('changes nothing with a current password that is %s', async (fault, fields) => {
    const before = await stored();
    const answer = await change(account, { password: PASSWORD, companyName: 'New', ...fields });
    expectFaults(answer, [fault, 'currentPassword']);
    expect(await stored()).toEqual(before);
  });

  it('that is already theirs is no change', async () => {
    await service.logIn({ username: account.user.username, password: account.password });
    const before = await stored();
    const { password } = account;
    const own = await change(account, { password, currentPassword: password });
    const byAdmin = await change(service.admin, { password });
    expect([own.body.data, byAdmin.body.data]).toEqual([account.user, account.user]);
    expect(await stored()).toEqual(before);
  });

  it('has the rules of a first one', async () => {
    const { password: currentPassword } = account;
    const answer = await change(account, { password: 'password1', currentPassword });
    expectFaults(answer, ['tooCommon', 'password']);
  });

  it('is not set where If-Match does not match', async () => {
    const before = await stored();
    const fields = { password: PASSWORD, currentPassword: account.password };
    expectFailure(await change(account, fields, { 'if-match': '"1-7"' }), 'preconditionFailed');
    expect(await stored()).toEqual(before);
  });

  it('is no other one where it differs in composition only', async () => {
    await change(service.admin, { password: 'cafe\u0301 au lait' });
    expect((await login('caf\u00e9 au lait')).status).toBe(201);
  });
});

describe('a current password alone', () => {
  it('is passed over', async () => {
    const answer = await change(account, { currentPassword: 'not the password', companyName: 'New' });
    expect(answer.body.data.companyName).toBe('New');
  });
});
