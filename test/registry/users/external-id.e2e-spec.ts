import type { User } from '../../../src/registry/users/user.schema';
import { keysOf, postKey, withKey } from '../api-keys/keys';
import type { ApiResponse, Client } from '../../support/client';
import { expectError, expectFieldErrors } from '../../support/expect-error';
import { newUserBody } from '../../support/records';
import { useService } from '../../support/service';

const service = useService();
let account: Client;
beforeEach(async () => {
  account = await service.account();
});

const put = (changes: object, client = service.admin, user = account): Promise<ApiResponse> =>
  client.put(`/users/${user.id}`, user.userBody(changes));
const post = (fields: object, client = service.admin): Promise<ApiResponse> =>
  client.post('/users', newUserBody(fields));

describe('externalId', () => {
  it('is set by no API key, neither in a PUT nor in a POST', async () => {
    const { program } = await withKey(await service.account({ roles: ['admin'] }));
    expectError(await put({ externalId: 'by key' }, program), 'apiKeyForbidden');
    await put({ externalId: 'by key' });
    expectError(await put({ externalId: null }, program), 'apiKeyForbidden');
    expect((await put({ companyName: 'Others' }, program)).body.data.externalId).toBe('by key');
    for (const password of [undefined, account.password])
      expectError(await post({ externalId: 'new', password }, program), 'apiKeyForbidden');
    expect((await post({ externalId: null }, program)).status).toBe(201);
  });
});

describe('a User without a password', () => {
  it('is created by an Admin, who gives them an externalId, and cannot log in', async () => {
    expectFieldErrors(await post({ password: undefined }), ['missing', 'password']);
    const { body } = await post({ password: undefined, externalId: 'only there' });
    const { _id, username } = body.data;
    expect(await service.stored<User>('User', _id)).toMatchObject({ passwordHash: null, externalId: 'only there' });
    for (const password of ['null', 'undefined', 'a long-winded passphrase'])
      expectError(await service.nobody.post('/sessions', { username, password }), 'wrongLogin');
  });

  it('gets one from an Admin, needs none for an API key, and cannot set one', async () => {
    await service.model<User>('User').updateOne({ _id: account.id }, { $set: { passwordHash: null } });
    const password = 'a long-winded passphrase';
    expectFieldErrors(await put({ password }, account), ['missing', 'currentPassword']);
    expectFieldErrors(await put({ password, currentPassword: password }, account), [
      'wrongCurrentPassword',
      'currentPassword',
    ]);
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    expect((await account.post(keysOf(account), { name: 'x', scope: 'read', expiresAt })).status).toBe(201);
    expect((await put({ password })).status).toBe(200);
    const loggedIn = await service.logIn({ username: account.user.username, password });
    expectFieldErrors(await postKey(loggedIn, { currentPassword: undefined }), ['missing', 'currentPassword']);
  });
});
