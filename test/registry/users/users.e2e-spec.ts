import { Organization } from '../../../src/registry/organizations/organization.schema';
import { User } from '../../../src/registry/users/user.schema';
import { fillManaged } from '../managers/fill';
import { ApiResponse, Client } from '../../support/client';
import { expectError, expectFieldErrors } from '../../support/expect-error';
import { addManager, backdate, createOrganization, etag, idsOf, newUserBody } from '../../support/records';
import { ADMIN, Service, useService } from '../../support/service';

/** docs/reliability.md has the command with more of them. */
const MANAGED = Number(process.env.MANAGED ?? 1000);

const service = useService();
let account: Client;
let other: Client;
beforeEach(async () => {
  [account, other] = [await service.account(), await service.account()];
});

const pathOf = ({ id }: Client): string => `/users/${id}`;
const stored = ({ id }: Client): Promise<User | null> => service.stored<User>('User', id);
const organization = (_id: string): Promise<Organization | null> => service.stored<Organization>('Organization', _id);
const create = (fields: object, client = service.admin): Promise<ApiResponse> =>
  client.post('/users', newUserBody(fields));
const count = ({ connection }: Service): Promise<number> => connection.model('User').countDocuments();

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

  it('reports the username, where it and the e-mail address are taken', async () => {
    expectError(await create({ username: ADMIN.username, email: ADMIN.email }), 'usernameTaken');
  });
});

describe('POST /users with open registration', () => {
  const open = useService({ REGISTRATION: 'open' });

  it('lets only Admins give roles and external ids and suspend, and checks the other fields first', async () => {
    const registered = await open.account();
    const before = await count(open);
    for (const client of [open.nobody, registered]) {
      expectError(await create({ roles: ['admin'] }, client), 'forbidden');
      expectError(await create({ externalId: 'x', password: undefined }, client), 'forbidden');
      expectError(await create({ isSuspended: true }, client), 'forbidden');
      expectFieldErrors(await create({ roles: ['admin'], email: '' }, client), ['blank', 'email']);
    }
    expect(await count(open)).toBe(before);
    expect((await create({ roles: ['admin'] }, open.admin)).status).toBe(201);
    expect((await create({ roles: [] }, open.nobody)).status).toBe(201);
  });
});

describe('DELETE /users/:id', () => {
  it('deletes the User, and ends their sessions at once', async () => {
    account = await service.registered();
    const { refreshToken } = account;
    expect(await account.delete(pathOf(account))).toMatchObject({ status: 204, text: '' });
    expect(await stored(account)).toBeNull();
    expectError(await account.get('/sessions'), 'accountGone');
    expectError(await service.nobody.post('/tokens', { refreshToken }), 'refreshTokenUnusable');
    expectError(await service.admin.get(pathOf(account)), 'userNotFound');
    expectError(await service.admin.delete(pathOf(account)), 'userNotFound');
  });

  it('removes the User from every Organization that they manage, and raises its revision', async () => {
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

  it('removes the User from as many Organizations at once as a User may manage', async () => {
    await fillManaged(service, account, MANAGED);
    expect((await account.delete(pathOf(account))).status).toBe(204);
    expect(await service.model('Organization').countDocuments({ 'managers._id': account.id })).toBe(0);
  }, 60_000);

  it('deletes an Admin while there is another; keeps the last one, before Organizations are looked at', async () => {
    account = await service.account({ roles: ['admin'] });
    const { _id } = await createOrganization(account);
    expectError(await account.delete(pathOf(account)), 'lastManager', expect.any(String));
    expect(await stored(account)).toMatchObject({ roles: ['admin'] });
    await account.delete(`/organizations/${_id}`);
    expect((await account.delete(pathOf(account))).status).toBe(204);
    await createOrganization(service.admin);
    expectError(await service.admin.delete(pathOf(service.admin)), 'lastAdmin');
  });
});

describe('/users/me', () => {
  it('is the caller, for GET, PUT and DELETE', async () => {
    const caller = await service.account();
    const { body, headers } = await caller.get('/users/me');
    expect({ body, etag: headers.etag }).toEqual({ body: caller.user, etag: etag(0) });
    const renamed = { ...body, companyName: 'Renamed Ltd' };
    expect((await caller.put('/users/me', renamed, { 'if-match': headers.etag })).body.data._id).toBe(caller.id);
    expect(await service.stored('User', caller.id)).toMatchObject({ companyName: 'Renamed Ltd' });
    expect((await caller.delete('/users/me')).status).toBe(204);
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
