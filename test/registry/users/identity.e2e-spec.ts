import { User } from '../../../src/registry/users/user.schema';
import type { ApiResponse, Client } from '../../support/client';
import { expectError, expectFieldErrors } from '../../support/expect-error';
import { createOrganization } from '../../support/records';
import { useService } from '../../support/service';

const NAMES = [{ username: 'renamed' }, { email: 'colleague@roster.example' }];

const WRONG_PASSWORDS = [
  ['missing', undefined],
  ['wrongCurrentPassword', 'wrong'],
] as const;

/** Changes one's own record. */
const put = (user: Client, changes: object, client = user): Promise<ApiResponse> =>
  client.put(`/users/${user.id}`, user.userBody(changes));

let user: Client;

describe('with registration by Admins', () => {
  const service = useService();
  beforeEach(async () => void (user = await service.account()));
  const WHO = 'Only an Admin may change a username or an e-mail address.';

  it.each(NAMES)('a User may not change their own %j, with or without the password', async (name) => {
    const before = await service.stored<User>('User', user.id);
    for (const currentPassword of [undefined, user.password, 'wrong'])
      expectError(await put(user, { ...name, currentPassword }), 'forbidden', WHO);
    expectError(
      await put(user, { ...name, currentPassword: user.password, password: 'another one' }),
      'forbidden',
      WHO,
    );
    expect(await service.stored<User>('User', user.id)).toEqual(before);
  });

  it('a User may change the rest, and an Admin all of it', async () => {
    expect((await put(user, { companyName: 'New' })).status).toBe(200);
    for (const name of NAMES) expect((await put(user, name, service.admin)).body.data).toMatchObject(name);
  });

  it.each([{ username: 'chief' }, { email: 'chief@roster.example' }])(
    'an Admin needs the current password to change their own %j',
    async (name) => {
      const admin = await service.account({ roles: ['admin'] });
      for (const [error, currentPassword] of WRONG_PASSWORDS)
        expectFieldErrors(await put(admin, { ...name, currentPassword }), [error, 'currentPassword']);
      expect((await put(admin, { ...name, currentPassword: admin.password })).body.data).toMatchObject(name);
    },
  );
});

describe('with open registration', () => {
  const service = useService({ REGISTRATION: 'open' });
  beforeEach(async () => void (user = await service.account()));

  it.each(NAMES)('a User needs the current password to change their own %j', async (name) => {
    const same = { ...name, password: user.password };
    for (const fields of [name, same])
      for (const [error, currentPassword] of WRONG_PASSWORDS)
        expectFieldErrors(await put(user, { ...fields, currentPassword }), [error, 'currentPassword']);
    expect((await put(user, { ...same, currentPassword: user.password })).body.data).toMatchObject(name);
  });

  it('a manager finds a User by username, by e-mail address only while it is one that an Admin set; an Admin always, and is told if no User has it', async () => {
    const manager = await service.account();
    const managersOfNew = async () => `/organizations/${(await createOrganization(manager))._id}/managers`;
    const path = await managersOfNew();
    const email = 'future-colleague@roster.example';
    const add = (client: Client): Promise<ApiResponse> => client.post(path, { email });
    await put(user, { email, currentPassword: user.password });
    expectFieldErrors(await add(manager), ['namesNothing', 'email']);
    const { username } = user.user;
    expect((await manager.post(await managersOfNew(), { username })).status).toBe(201);
    expect((await service.admin.post(await managersOfNew(), { email })).status).toBe(201);
    const unknown = { email: 'unknown@roster.example' };
    expect((await manager.post(path, unknown)).body).toEqual((await add(manager)).body);
    const [{ detail }] = (await service.admin.post(path, unknown)).body.message;
    expect(detail).toBe('is not the e-mail address of a User');
    await put(user, { email: 'nobody@roster.example' }, service.admin);
    await put(user, { email }, service.admin);
    expect((await add(manager)).status).toBe(201);
  });
});
