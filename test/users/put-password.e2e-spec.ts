import { User } from '../../src/users/user.schema';
import { ApiResponse, Client } from '../support/client';
import { expectFailure, expectFaults } from '../support/expect-error';
import { etag, ifMatch } from '../support/records';
import { Service, startService } from '../support/service';

const PASSWORD = 'another password';

let service: Service;
let account: Client;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await service.account();
});

const stored = (): Promise<User | null> => service.stored<User>('User', account.id);
const change = (fields: object, client = account, headers = {}): Promise<ApiResponse> =>
  client.put(`/users/${account.id}`, account.userBody(fields), headers);
const login = (password: string): Promise<ApiResponse> =>
  service.nobody.post('/sessions', { username: account.user.username, password });

describe('a new password', () => {
  it('needs the current one, and ends the other sessions', async () => {
    const { password, user } = account;
    const other = await service.logIn({ username: user.username, password });
    const response = await change({ password: PASSWORD, currentPassword: password });
    expect(response).toMatchObject({ status: 200, headers: { etag: etag(1) } });
    expect((await stored())?.sessions.map(({ _id }) => _id.toHexString())).toEqual([account.session._id]);
    expectFailure(await other.get('/sessions'), 'accountGone');
    expectFailure(await service.nobody.post('/tokens', { refreshToken: other.refreshToken }), 'refreshTokenUnusable');
    expect((await account.get('/sessions')).status).toBe(200);
    expectFailure(await login(password), 'wrongLogin');
    expect((await login(PASSWORD)).status).toBe(201);
  });

  it('set by an Admin needs nothing, and ends all sessions', async () => {
    expect((await change({ password: PASSWORD }, service.admin)).status).toBe(200);
    expect((await stored())?.sessions).toEqual([]);
    expectFailure(await account.get('/sessions'), 'accountGone');
    expect((await login(PASSWORD)).status).toBe(201);
  });

  it('of an Admin themselves needs the current one, too', async () => {
    const { admin } = service;
    const response = await admin.put(`/users/${admin.id}`, admin.userBody({ password: PASSWORD }));
    expectFaults(response, ['missing', 'currentPassword']);
  });

  it.each([
    ['missing', undefined],
    ['missing', null],
    ['blank', ''],
    ['wrongCurrentPassword', 'not the password'],
    ['wrongCurrentPassword', ' the password of the tests'],
  ] as const)('changes nothing with a current password that is %s: %j', async (error, currentPassword) => {
    const before = await stored();
    const response = await change({ password: PASSWORD, companyName: 'New', currentPassword });
    expectFaults(response, [error, 'currentPassword']);
    expect(await stored()).toEqual(before);
  });

  it('that is already theirs is no change', async () => {
    await login(account.password);
    const before = await stored();
    const { password, user } = account;
    expect((await change({ password, currentPassword: password })).body.data).toEqual(user);
    expect((await change({ password }, service.admin)).body.data).toEqual(user);
    expect(await stored()).toEqual(before);
  });

  it('is not set where If-Match does not match', async () => {
    const before = await stored();
    const fields = { password: PASSWORD, currentPassword: account.password };
    expectFailure(await change(fields, account, ifMatch(7)), 'preconditionFailed');
    expect(await stored()).toEqual(before);
  });

  it('is the same one in another Unicode composition', async () => {
    await change({ password: 'cafe\u0301 au lait' }, service.admin);
    expect((await login('caf\u00e9 au lait')).status).toBe(201);
  });
});

it('a current password without a new one is ignored', async () => {
  const { body } = await change({ currentPassword: 'not the password', companyName: 'New' });
  expect(body.data.companyName).toBe('New');
});
