import { Organization } from '../../src/organizations/organization.schema';
import { UserDeletionService } from '../../src/users/user-deletion.service';
import { UserUpdateService } from '../../src/users/user-update.service';
import { AdminList, User } from '../../src/users/user.schema';
import { UsersService } from '../../src/users/users.service';
import { ApiResponse, Client } from '../support/client';
import { expectFailure, expectFaults } from '../support/expect-error';
import { meanwhile } from '../support/meanwhile';
import { addManager, createOrganization } from '../support/records';
import { Service, startService } from '../support/service';

const NEXT_PASSWORD = 'the next password of the tests';

let service: Service;
let account: Client;
let path: string;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await service.account();
  path = `/users/${account.id}`;
});
afterEach(() => jest.restoreAllMocks());

const get = <S>(type: abstract new (...args: never[]) => S): S => service.app.get<S>(type);
const stored = (): Promise<User | null> => service.model<User>('User').findById(account.id).lean();
const admins = async (): Promise<string[]> =>
  ((await service.model<AdminList>('AdminList').findOne().lean())?.userIds ?? []).map(String);
/** A PUT of all fields as they are at first, but for these. */
const put = (fields: object, client = account, headers = {}): Promise<ApiResponse> =>
  client.put(path, { ...account.user, roles: undefined, ...fields }, headers);
const create = (fields: object): Promise<ApiResponse> =>
  service.admin.post('/users', { companyName: 'C', email: 'e@roster.example', password: NEXT_PASSWORD, ...fields });

describe('PUT /users/:id, when after its judgement', () => {
  const before = (event: () => Promise<unknown>): void => meanwhile(get(UserUpdateService), 'update', event);

  it('the User changes: it is applied to what they are now', async () => {
    before(() => put({ companyName: 'Meanwhile' }));
    expect(await put({ companyName: 'Last' })).toMatchObject({ status: 200, headers: { etag: '"1-2"' } });
    expect(await stored()).toMatchObject({ companyName: 'Last', revision: 2 });
  });

  it('the User is renamed: a second name is applied to what they are now', async () => {
    const [first, last] = [`first-${account.user.username}`, `last-${account.user.username}`];
    before(() => put({ username: first }));
    expect(await put({ username: last })).toMatchObject({ status: 200, headers: { etag: '"1-2"' } });
    expect(await stored()).toMatchObject({ username: last, usernameKey: last, revision: 2 });
    expect((await create({ username: first })).status).toBe(201);
    await service.admin.delete(`/users/${(await service.model<User>('User').findOne({ username: first }))?.id}`);
  });

  it('the User changes: an If-Match of before is refused', async () => {
    before(() => put({ companyName: 'Meanwhile' }));
    expectFailure(await put({ companyName: 'Last' }, account, { 'if-match': '"1-0"' }), 'preconditionFailed');
    expect(await stored()).toMatchObject({ companyName: 'Meanwhile', revision: 1 });
  });

  it('the User is deleted: there is none', async () => {
    before(() => service.admin.delete(path));
    expectFailure(await put({ companyName: 'Last' }, service.admin), 'userNotFound');
    expect(await stored()).toBeNull();
  });

  it('the User is deleted: there is none whose password could be compared', async () => {
    before(() => service.admin.delete(path));
    expectFailure(await put({ password: NEXT_PASSWORD }, service.admin), 'userNotFound');
  });

  it('the password changes: the current one is wrong', async () => {
    before(() => put({ password: NEXT_PASSWORD }, service.admin));
    const answer = await put({ password: 'a third password of the tests', currentPassword: account.password });
    expectFaults(answer, ['wrongCurrentPassword', 'currentPassword']);
    await service.logIn({ username: account.user.username, password: NEXT_PASSWORD });
  });

  it('the role is given: nothing is left to do', async () => {
    before(() => put({ roles: ['admin'] }, service.admin));
    expect(await put({ roles: ['admin'] }, service.admin)).toMatchObject({ status: 200, headers: { etag: '"1-1"' } });
    expect(await admins()).toEqual([service.admin.id, account.id]);
    await put({ roles: [] }, service.admin);
  });

  it('the role is taken: nothing is left to do', async () => {
    await put({ roles: ['admin'] }, service.admin);
    before(() => put({ roles: [] }, service.admin));
    expect(await put({ roles: [] }, service.admin)).toMatchObject({ status: 200, headers: { etag: '"1-2"' } });
    expect(await admins()).toEqual([service.admin.id]);
  });

  it.each([
    ['usernameTaken', 'username', 'taken'],
    ['emailTaken', 'email', 'taken@roster.example'],
  ] as const)('somebody else takes what it sets: %s', async (failure, field, value) => {
    const other = await service.account();
    before(() => other.put(`/users/${other.id}`, { ...other.user, [field]: value }));
    expectFailure(await put({ [field]: value }), failure);
    expect(await stored()).toMatchObject({ revision: 0, username: account.user.username });
    await service.admin.delete(`/users/${other.id}`);
  });
});

describe('who has the username or the e-mail address that is asked for', () => {
  it.each([
    ['username', (other: Client) => ({ username: other.user.username })],
    ['email', (other: Client) => ({ username: `new-${account.user.username}`, email: other.user.email })],
  ])('may be gone by the time they are looked up, so that it is free: %s', async (_, fields) => {
    const other = await service.account();
    meanwhile(get(UsersService), 'explainConflict', () => service.admin.delete(`/users/${other.id}`));
    const answer = await create(fields(other));
    expect(answer.status).toBe(201);
    await service.admin.delete(`/users/${answer.body.data._id}`);
  });

  it('may be gone when a PUT asks for it, too', async () => {
    const other = await service.account();
    meanwhile(get(UsersService), 'explainConflict', () => service.admin.delete(`/users/${other.id}`));
    expect((await put({ username: other.user.username })).status).toBe(200);
    expect(await stored()).toMatchObject({ username: other.user.username, revision: 1 });
  });

  it('is not looked for for ever', async () => {
    const spy = jest.spyOn(get(UsersService), 'explainConflict').mockResolvedValue(undefined);
    expectFailure(await create({ username: account.user.username }), 'concurrentChange');
    expect(spy).toHaveBeenCalledTimes(5);
  });
});

describe('DELETE /users/:id, when after its judgement', () => {
  const before = (event: () => Promise<unknown>): void => meanwhile(get(UserDeletionService), 'remove', event);

  it('the User changes: they go all the same', async () => {
    before(() => put({ companyName: 'Meanwhile' }));
    expect((await account.delete(path)).status).toBe(204);
    expect(await stored()).toBeNull();
  });

  it('the User changes: an If-Match of before is refused', async () => {
    before(() => put({ companyName: 'Meanwhile' }));
    expectFailure(await account.delete(path, { 'if-match': '"1-0"' }), 'preconditionFailed');
    expect(await stored()).toMatchObject({ companyName: 'Meanwhile' });
  });

  it('the User is deleted: there is none', async () => {
    before(() => service.admin.delete(path));
    expectFailure(await service.admin.delete(path), 'userNotFound');
  });

  it('the User becomes an Admin: they are none when they are gone', async () => {
    before(() => put({ roles: ['admin'] }, service.admin));
    expect((await account.delete(path)).status).toBe(204);
    expect(await admins()).toEqual([service.admin.id]);
  });

  it('an Admin is one no more: they go all the same', async () => {
    await put({ roles: ['admin'] }, service.admin);
    before(() => put({ roles: [] }, service.admin));
    expect((await service.admin.delete(path)).status).toBe(204);
    expect(await admins()).toEqual([service.admin.id]);
  });

  it('the User becomes the last Manager of an Organization: they stay', async () => {
    const other = await service.account();
    const { _id } = await createOrganization(other);
    await addManager(other, _id, account.id);
    before(() => other.delete(`/organizations/${_id}/managers/${other.id}`));
    expectFailure(await account.delete(path), 'lastManager', expect.any(String));
    const organization = await service.model<Organization>('Organization').findById(_id).lean();
    expect(organization?.managers.map((manager) => String(manager._id))).toEqual([account.id]);
    expect(await stored()).not.toBeNull();
  });
});
