import type { FieldErrorName } from '../../../src/platform/base/errors/field-error';
import type { User } from '../../../src/registry/users/user.schema';
import type { ApiResponse, Client } from '../../support/client';
import { expectFieldErrors, expectOutcome } from '../../support/expect-error';
import { meanwhile } from '../../support/meanwhile';
import { idsOf } from '../../support/records';
import { useService } from '../../support/service';
import { keysOf, postKey, withKey } from './keys';

const VALID = { name: 'x', scope: 'read', currentPassword: 'x' };
const FORM = /^roster_[0-9A-Za-z]{49}$/;

const service = useService();
let account: Client;
beforeEach(async () => {
  account = await service.account();
});

const stored = ({ id }: Client): Promise<User | null> => service.stored<User>('User', id);

describe('POST /users/:id/api-keys', () => {
  it('shows the key once, and stores its hash', async () => {
    const { status, headers, body } = await postKey(account, { expiresAt: '2099-12-31' });
    const { key, ...apiKey } = body.data;
    expect({ status, headers }).toMatchObject({
      status: 201,
      headers: { location: `${keysOf(account)}/${apiKey._id}`, 'cache-control': 'no-store' },
    });
    expect(headers.etag).toBeUndefined();
    expect(key).toMatch(FORM);
    const given = { name: 'Import', scope: 'write', expiresAt: '2099-12-31', hint: key.slice(-4) };
    expect(apiKey).toMatchObject({ ...given, lastUsedAt: null, createdBy: account.id });
    expect((await account.get(headers.location!)).body).toEqual(apiKey);
    expect((await account.get(keysOf(account))).body.data).toEqual([apiKey]);
    const user = await stored(account);
    expect(user).toMatchObject({ revision: 0, apiKeys: [{ ...given, hash: expect.stringMatching(/^[\w-]{43}$/) }] });
    expect(JSON.stringify(user)).not.toContain(key);
  });

  it.each(['2099-03-16', '2099-03-16T20:07:54+01:00', '2099-03-16T19:07Z'])(
    'returns expiresAt %s as it was sent',
    async (expiresAt) => {
      const { key, program } = await withKey(account, { expiresAt });
      const { body } = await account.get(`${keysOf(account)}/${key._id}`);
      expect([key.expiresAt, body.expiresAt]).toEqual([expiresAt, expiresAt]);
      expect((await program.get('/users')).status).toBe(200);
    },
  );

  it.each<[string, object, ...[FieldErrorName, string][]]>([
    ['nothing', {}, ['missing', 'name'], ['missing', 'scope']],
    ['no password', { ...VALID, currentPassword: undefined }, ['missing', 'currentPassword']],
    ['an unknown scope', { ...VALID, scope: 'admin' }, ['notOneOf', 'scope']],
    [
      'no date, and a name that is too long',
      { ...VALID, name: 'x'.repeat(101), expiresAt: 'tomorrow', key: 'x' },
      ['tooLong', 'name'],
      ['badFormat', 'expiresAt'],
      ['unknownField', 'key'],
    ],
    ['a date that has passed', { ...VALID, expiresAt: '2026-01-01' }, ['outOfRange', 'expiresAt']],
    ['a time that has passed', { ...VALID, expiresAt: '2026-01-01T01:00:00+01:00' }, ['outOfRange', 'expiresAt']],
    ['a wrong password', VALID, ['wrongCurrentPassword', 'currentPassword']],
  ])('refuses %s', async (_title, body, ...errors) => {
    expectFieldErrors(await account.post(keysOf(account), body), ...errors);
    expect((await stored(account))?.apiKeys).toEqual([]);
  });

  it('is 401 when the caller is deleted after the guards', async () => {
    const remove = (): Promise<ApiResponse> => service.admin.delete(`/users/${account.id}`);
    expectOutcome(await meanwhile(service, 'after the guards', remove, () => postKey(account)), 'accountGone');
  });

  it('is possible for a User who was stored before there were API keys', async () => {
    await service.model<User>('User').updateOne({ _id: account.id }, { $unset: { apiKeys: 1 } });
    expect((await account.get(keysOf(account))).body.data).toEqual([]);
    const { key } = await withKey(account);
    expect(idsOf(await account.get(keysOf(account)))).toEqual([key._id]);
  });

  it("takes the password of the caller: an Admin's for another User's key", async () => {
    const { admin } = service;
    const body = { name: 'Import', scope: 'read' };
    const wrong = await admin.post(keysOf(account), { ...body, currentPassword: account.password });
    expectFieldErrors(wrong, ['wrongCurrentPassword', 'currentPassword']);
    const { data } = (await admin.post(keysOf(account), { ...body, currentPassword: admin.password })).body;
    expect(data.createdBy).toBe(admin.id);
    expect((await account.with(data.key as string).get('/users/me')).body).toEqual(account.user);
  });
});
