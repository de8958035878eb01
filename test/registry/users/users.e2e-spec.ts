import * as argon2 from '@node-rs/argon2';
import { Organization } from '../../../src/registry/organizations/organization.schema';
import { User } from '../../../src/registry/users/user.schema';
import { keysOf, postKey, withKey } from '../api-keys/keys';
import { ApiResponse, Client } from '../../support/client';
import { expectError, expectFieldErrors } from '../../support/expect-error';
import { addManager, backdate, createOrganization, etag, idsOf, newUserBody } from '../../support/records';
import { ADMIN, useService } from '../../support/service';

// Its functions can be spied on in a copy only.
jest.mock('@node-rs/argon2', () => ({ __esModule: true, ...jest.requireActual<typeof argon2>('@node-rs/argon2') }));

const PASSWORD = 'another password';
const NAMES = [{ username: 'renamed' }, { email: 'colleague@roster.example' }];
const WRONG_PASSWORDS = [
  ['missing', undefined],
  ['wrongCurrentPassword', 'wrong'],
] as const;

const service = useService();
let account: Client;
beforeEach(async () => {
  account = await service.account();
});

const pathOf = ({ id }: Client): string => `/users/${id}`;
const stored = (user = account): Promise<User | null> => service.stored<User>('User', user.id);
const create = (fields: object, client = service.admin): Promise<ApiResponse> =>
  client.post('/users', newUserBody(fields));
/** A PUT by the User. */
const putOwn = (changes: object, user = account): Promise<ApiResponse> =>
  user.put(pathOf(user), user.userBody(changes));
const putBy = (client: Client, changes: object, user = account): Promise<ApiResponse> =>
  client.put(pathOf(user), user.userBody(changes));
const put = (changes: object): Promise<ApiResponse> => putBy(service.admin, changes);
const suspend = (): Promise<ApiResponse> => put({ isSuspended: true });
const login = (password = account.password, { username } = account.user): Promise<ApiResponse> =>
  service.nobody.post('/sessions', { username, password });
const adminProgram = async (): Promise<Client> => (await withKey(await service.account({ roles: ['admin'] }))).program;

describe('POST /users', () => {
  it('creates a User and shows everything but the password', async () => {
    const given = { username: 'Ada', companyName: 'Éclair', email: 'Ada@engines.example' };
    const { status, headers, body: created } = await create(given);
    const { _id, createdAt } = created.data;
    expect({ status, headers }).toMatchObject({ status: 201, headers: { location: `/users/${_id}`, etag: etag(0) } });
    const defaults = { roles: [], isSuspended: false, suspendedAt: null, externalId: null };
    expect(created).toEqual({
      status: 'success',
      data: { ...given, _id, ...defaults, createdAt, updatedAt: createdAt },
    });
    expect((await service.admin.get(`/users/${_id}`)).body).toEqual(created.data);
    expect(await service.stored<User>('User', _id)).toMatchObject({
      usernameKey: 'ada',
      emailKey: 'ada@engines.example',
      passwordHash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/),
      searchText: 'ada\néclair\nada@engines.example',
      roles: [],
      sessions: [],
      revision: 0,
    });
  });

  it.each([' 👍 \0pass\n', 'éè'.repeat(64)])('takes the password %j, which then logs in', async (password) => {
    const { username } = (await create({ password })).body.data;
    await service.logIn({ username, password });
  });

  it.each([null, 'only there'])(
    'creates a User without a password, who cannot log in: externalId %s',
    async (externalId) => {
      const { _id, username } = (await create({ password: undefined, externalId })).body.data;
      expect(await service.stored<User>('User', _id)).toMatchObject({ passwordHash: null, externalId });
      for (const password of ['null', 'undefined', PASSWORD])
        expectError(await service.nobody.post('/sessions', { username, password }), 'wrongLogin');
    },
  );

  it('creates a suspended User, who cannot log in', async () => {
    const user = newUserBody({ isSuspended: true });
    const { data } = (await service.admin.post('/users', user)).body;
    expect(data).toMatchObject({ isSuspended: true, suspendedAt: expect.stringMatching(/Z$/) });
    expectError(await login(user.password, data), 'suspended');
  });
});

describe('PUT /users/:id', () => {
  it('changes what the User logs in with, and neither the password nor the sessions', async () => {
    const before = await stored();
    const username = `${account.user.username}-B`;
    expect((await put({ username, password: null })).status).toBe(200);
    const { passwordHash, sessions } = before!;
    expect(await stored()).toMatchObject({ passwordHash, sessions, usernameKey: username.toLowerCase(), revision: 1 });
    await service.logIn({ username: username.toUpperCase(), password: account.password });
    expectError(await login(), 'wrongLogin');
  });

  it('gives and takes the role of Admin from the next request on', async () => {
    const admins = (): Promise<ApiResponse> => account.get('/users?role=admin');
    expect((await put({ roles: ['admin'] })).body.data.roles).toEqual(['admin']);
    expect(idsOf(await admins())).toEqual([service.admin.id, account.id]);
    expect((await put({ roles: [] })).body.data.roles).toEqual([]);
    expectError(await admins(), 'forbidden');
  });

  it.each([
    ['roles', ['admin'], [[], null, undefined], 'Only an Admin may set roles.'],
    ['isSuspended', true, [false, null, undefined], 'Only an Admin may suspend a User.'],
    ['externalId', 'x', [null, '', undefined], 'Only an Admin may set an externalId.'],
  ] as const)('sets %s for Admins only; others may send back the current value', async (field, value, same, who) => {
    expectError(await putOwn({ [field]: value, companyName: 'New' }), 'forbidden', who);
    for (const current of same) expect((await putOwn({ [field]: current })).status).toBe(200);
    expect(await stored()).toMatchObject({ revision: 0 });
  });

  it('keeps isSuspended when it is left out or null, and suspendedAt with it', async () => {
    const { suspendedAt } = (await suspend()).body.data;
    const { data } = (await put({ companyName: 'Other', suspendedAt: null })).body;
    expect(data).toMatchObject({ isSuspended: true, suspendedAt, companyName: 'Other' });
    for (const isSuspended of [true, null])
      expect((await put({ isSuspended, companyName: 'Other' })).body.data).toEqual(data);
    expect((await put({ isSuspended: false })).body.data).toMatchObject({ isSuspended: false, suspendedAt: null });
  });

  it('of an Admin by an API key sets no externalId, and neither does a POST', async () => {
    const program = await adminProgram();
    expectError(await putBy(program, { externalId: 'by key' }), 'apiKeyForbidden');
    await put({ externalId: 'by key' });
    expectError(await putBy(program, { externalId: null }), 'apiKeyForbidden');
    expect((await putBy(program, { companyName: 'Others' })).body.data.externalId).toBe('by key');
    for (const password of [undefined, PASSWORD])
      expectError(await create({ externalId: 'new', password }, program), 'apiKeyForbidden');
    expect((await create({ externalId: null }, program)).status).toBe(201);
  });
});

describe('a new password', () => {
  it('needs the current one, and ends the other sessions', async () => {
    const { password, user } = account;
    const other = await service.logIn({ username: user.username, password });
    expect(await putOwn({ password: PASSWORD, currentPassword: password })).toMatchObject({ status: 200 });
    expect((await stored())?.sessions.map(({ _id }) => _id.toHexString())).toEqual([account.session._id]);
    expectError(await other.get('/sessions'), 'accountGone');
    expectError(await service.nobody.post('/tokens', { refreshToken: other.refreshToken }), 'refreshTokenUnusable');
    expect((await account.get('/sessions')).status).toBe(200);
    expectError(await login(password), 'wrongLogin');
    expect((await login(PASSWORD)).status).toBe(201);
  });

  it('set by an Admin needs nothing, and ends all sessions', async () => {
    expect((await put({ password: PASSWORD })).status).toBe(200);
    expectError(await account.get('/sessions'), 'accountGone');
    expect((await login(PASSWORD)).status).toBe(201);
  });

  it.each([
    ['missing', null],
    ['blank', ''],
    ['wrongCurrentPassword', 'not the password'],
    ['wrongCurrentPassword', ' the password of the tests'],
  ] as const)('with a current password that is %s (%j) changes nothing', async (error, currentPassword) => {
    const before = await stored();
    const response = await putOwn({ password: PASSWORD, companyName: 'New', currentPassword });
    expectFieldErrors(response, [error, 'currentPassword']);
    expect(await stored()).toEqual(before);
  });

  it('that is already theirs is no change', async () => {
    await login();
    const before = await stored();
    const { password, user } = account;
    for (const currentPassword of [undefined, password, 'not the password'])
      expect((await putOwn({ password, currentPassword })).body.data).toEqual(user);
    expect((await put({ password })).body.data).toEqual(user);
    expect(await stored()).toEqual(before);
  });

  it('comes from an Admin where a User has none, who needs none for an API key', async () => {
    await service.model<User>('User').updateOne({ _id: account.id }, { $set: { passwordHash: null } });
    for (const [error, currentPassword] of [WRONG_PASSWORDS[0], ['wrongCurrentPassword', PASSWORD]] as const) {
      const refused = await putOwn({ password: PASSWORD, currentPassword });
      expectFieldErrors(refused, [error, 'currentPassword']);
      expect(refused.text).toContain('you have no password here, the identity provider has it');
    }
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    expect((await account.post(keysOf(account), { name: 'x', scope: 'read', expiresAt })).status).toBe(201);
    expect((await put({ password: PASSWORD })).status).toBe(200);
    const loggedIn = await service.logIn({ username: account.user.username, password: PASSWORD });
    expectFieldErrors(await postKey(loggedIn, { currentPassword: undefined }), ['missing', 'currentPassword']);
  });
});

describe('the names of a User with registration by Admins', () => {
  const WHO = 'Only an Admin may change a username or an e-mail address.';

  it.each(NAMES)('are not changed by themselves, with or without the password: %j', async (name) => {
    const before = await stored();
    const { password: currentPassword } = account;
    const passwords = [{ password: PASSWORD }, { currentPassword: 'x', password: PASSWORD }];
    for (const fields of [{}, { currentPassword }, { currentPassword, password: PASSWORD }, ...passwords])
      expectError(await putOwn({ ...name, ...fields }), 'forbidden', WHO);
    expect(await stored()).toEqual(before);
    expect((await put(name)).body.data).toMatchObject(name);
  });

  it.each([{ username: 'chief' }, { email: 'chief@roster.example' }])(
    'are changed by an Admin, of themselves with the current password: %j',
    async (name) => {
      const admin = await service.account({ roles: ['admin'] });
      for (const [error, currentPassword] of WRONG_PASSWORDS)
        expectFieldErrors(await putOwn({ ...name, currentPassword }, admin), [error, 'currentPassword']);
      const { data } = (await putOwn({ ...name, currentPassword: admin.password }, admin)).body;
      expect(data).toMatchObject(name);
    },
  );
});

describe('with open registration', () => {
  const open = useService({ REGISTRATION: 'open' });
  let user: Client;
  beforeEach(async () => void (user = await open.account()));

  it('only Admins give roles and external ids and suspend; the other fields are checked first', async () => {
    const count = (): Promise<number> => open.model('User').countDocuments();
    const before = await count();
    for (const client of [open.nobody, user]) {
      for (const fields of [{ roles: ['admin'] }, { externalId: 'x', password: undefined }, { isSuspended: true }])
        expectError(await create(fields, client), 'forbidden');
      expectFieldErrors(await create({ roles: ['admin'], email: '' }, client), ['blank', 'email']);
    }
    expect(await count()).toBe(before);
    expect((await create({ roles: ['admin'] }, open.admin)).status).toBe(201);
    expect((await create({ roles: [] }, open.nobody)).status).toBe(201);
  });

  it('only Admins create Users without a password', async () => {
    for (const client of [open.nobody, user])
      expectFieldErrors(await create({ password: undefined, roles: ['admin'] }, client), ['missing', 'password']);
    expect((await create({ password: undefined }, open.admin)).status).toBe(201);
  });

  it.each(NAMES)('a User needs the current password to change their own %j', async (name) => {
    const same = { ...name, password: user.password };
    for (const fields of [name, same])
      for (const [error, currentPassword] of WRONG_PASSWORDS)
        expectFieldErrors(await putOwn({ ...fields, currentPassword }, user), [error, 'currentPassword']);
    expect((await putOwn({ ...same, currentPassword: user.password }, user)).body.data).toMatchObject(name);
  });

  it('a Manager adds a User by username, by e-mail address only while an Admin set it; an Admin always', async () => {
    const manager = await open.account();
    const managersOfNew = async () => `/organizations/${(await createOrganization(manager))._id}/managers`;
    const path = await managersOfNew();
    const email = 'future-colleague@roster.example';
    const add = (): Promise<ApiResponse> => manager.post(path, { email });
    await putOwn({ email, currentPassword: user.password }, user);
    expectFieldErrors(await add(), ['namesNothing', 'email']);
    expect((await manager.post(await managersOfNew(), { username: user.user.username })).status).toBe(201);
    expect((await open.admin.post(await managersOfNew(), { email })).status).toBe(201);
    const unknown = { email: 'unknown@roster.example' };
    expect((await manager.post(path, unknown)).body).toEqual((await add()).body);
    const [{ detail }] = (await open.admin.post(path, unknown)).body.message;
    expect(detail).toMatch(/^is not the e-mail address of a User; invite .*\/invitations$/);
    for (const set of ['nobody@roster.example', email]) await putBy(open.admin, { email: set }, user);
    expect((await add()).status).toBe(201);
  });
});

describe('REGISTRATIONS_PER_HOUR', () => {
  const limited = useService({ REGISTRATION: 'open', REGISTRATIONS_PER_HOUR: '2' });
  const TOO_MANY = 'Too many registrations. Try again later.';
  const register = (remoteAddress: string, fields = {}, client = limited.nobody): Promise<ApiResponse> =>
    client.send({ method: 'POST', path: '/users', payload: newUserBody(fields), remoteAddress });

  it('limits the Users that are created from one address, and not those that Admins create', async () => {
    const address = '192.0.2.1';
    const user = newUserBody();
    expect((await register(address, user)).status).toBe(201);
    expectError(await register(address, { username: ADMIN.username }), 'usernameTaken');
    expectError(await register(address, { email: ADMIN.email }), 'emailTaken');
    expect((await register(address)).status).toBe(201);
    for (const client of [limited.nobody, await limited.logIn(user)])
      expectError(await register(address, {}, client), 'tooManyRequests', TOO_MANY);
    expectError(await register(address, { email: ADMIN.email }), 'tooManyRequests', TOO_MANY);
    expect((await register(address, {}, limited.admin)).status).toBe(201);
    expect((await register('192.0.2.2')).status).toBe(201);
  });

  it('is checked before a password is hashed, and so are conflicts', async () => {
    const hash = jest.spyOn(argon2, 'hash');
    const address = '192.0.2.3';
    for (const taken of [{ username: ADMIN.username }, { email: ADMIN.email }])
      expect((await register(address, taken)).status).toBe(409);
    expect(hash).not.toHaveBeenCalled();
    for (let times = 0; times < 5; times += 1) await register(address);
    expect(hash).toHaveBeenCalledTimes(2);
    hash.mockRestore();
  });
});

describe('a suspended User', () => {
  beforeEach(async () => {
    account = await service.registered();
  });

  it('has no session left, and the right password is refused differently from a wrong one', async () => {
    const shown = { isSuspended: true, suspendedAt: expect.stringMatching(/Z$/) };
    expect((await suspend()).body.data).toMatchObject(shown);
    expectError(await account.get('/users'), 'accountGone');
    expectError(await service.nobody.post('/tokens', { refreshToken: account.refreshToken }), 'refreshTokenUnusable');
    expectError(await login(), 'suspended');
    expectError(await login('a wrong password'), 'wrongLogin');
    expect((await stored())?.sessions).toEqual([]);
  });

  it('stays a Manager, and logs in again once the suspension has ended', async () => {
    const { _id } = await createOrganization(account);
    await suspend();
    expect((await service.admin.get(`/organizations/${_id}`)).body.managerIds).toEqual([account.id]);
    expectError(await service.admin.delete(`/organizations/${_id}/managers/${account.id}`), 'lastManager');
    await put({ isSuspended: false });
    expectError(await account.get('/users'), 'accountGone');
    expect((await login()).status).toBe(201);
  });

  it('has no session left after a suspension by themselves as an Admin', async () => {
    await put({ roles: ['admin'] });
    expect((await putOwn({ isSuspended: true, roles: ['admin'] })).status).toBe(200);
    expect((await stored())?.sessions).toEqual([]);
  });
});

describe('DELETE /users/:id', () => {
  it('removes the User from every Organization that they manage, and raises its revision', async () => {
    const other = await service.account();
    const organization = (id: string) => service.stored<Organization>('Organization', id);
    const { _id } = await createOrganization(account);
    const untouched = await organization((await createOrganization(account))._id);
    await addManager(account, _id, other.id);
    const longAgo = await backdate(service, 'Organization', _id);
    expect((await other.delete(pathOf(other))).status).toBe(204);
    const { body, headers } = await account.get(`/organizations/${_id}`);
    expect({ ids: body.managerIds, etag: headers.etag }).toEqual({ ids: [account.id], etag: etag(2) });
    expect(body.updatedAt).not.toBe(longAgo);
    expect(await organization(String(untouched?._id))).toEqual(untouched);
  });

  it('deletes an Admin while there is another; keeps the last one, before Organizations are looked at', async () => {
    account = await service.account({ roles: ['admin'] });
    const { _id } = await createOrganization(account);
    expectError(await account.delete(pathOf(account)), 'lastManager', expect.any(String));
    expect(await stored()).toMatchObject({ roles: ['admin'] });
    await account.delete(`/organizations/${_id}`);
    await suspendOthers();
    await createOrganization(service.admin);
    expectError(await service.admin.delete(pathOf(service.admin)), 'lastAdmin');
    for (const change of [{ isSuspended: true }, { roles: [] }])
      expectError(await putOwn(change, service.admin), 'lastAdmin');
    expect((await service.admin.delete(pathOf(account))).status).toBe(204);
  });
});

/** Leaves one Admin who is not suspended. */
async function suspendOthers(): Promise<void> {
  const others = { roles: 'admin', _id: { $ne: service.admin.id } };
  for (const { _id } of await service.model('User').find(others)) {
    const { body } = await service.admin.get(`/users/${String(_id)}`);
    expect((await service.admin.put(`/users/${String(_id)}`, { ...body, isSuspended: true })).status).toBe(200);
  }
}

describe('/users/me', () => {
  it('is the caller, for GET, PUT and DELETE', async () => {
    const { body, headers } = await account.get('/users/me');
    expect({ body, etag: headers.etag }).toEqual({ body: account.user, etag: etag(0) });
    const renamed = { ...body, companyName: 'Renamed Ltd' };
    expect((await account.put('/users/me', renamed, { 'if-match': headers.etag })).body.data._id).toBe(account.id);
    expect(await stored()).toMatchObject({ companyName: 'Renamed Ltd' });
    expect((await account.delete('/users/me')).status).toBe(204);
    expectError(await service.nobody.get('/users/me'), 'noCredentials');
  });

  it('is the id of a User only: the caller is not found as a Manager by it', async () => {
    const { _id } = await createOrganization(account);
    expect((await account.get(`/organizations/${_id}/managers/${account.id}`)).status).toBe(200);
    expectError(await account.get(`/organizations/${_id}/managers/me`), 'managerNotFound');
  });

  it('is the caller in `managerId` of Organizations, and not in `createdBy` of Files', async () => {
    const { _id } = await createOrganization(account);
    expect(idsOf(await account.get('/organizations?managerId=me'))).toEqual([_id]);
    expectError(await service.admin.get('/files?createdBy=me'), 'invalidQuery', expect.stringContaining('"createdBy"'));
  });
});
