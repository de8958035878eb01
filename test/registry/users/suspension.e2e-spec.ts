import type { AdminGuard, User } from '../../../src/registry/users/user.schema';
import { withKey } from '../api-keys/keys';
import type { ApiResponse, Client } from '../../support/client';
import { expectError } from '../../support/expect-error';
import { meanwhile } from '../../support/meanwhile';
import { createOrganization, idsOf, newUserBody, organizationBody } from '../../support/records';
import { useService } from '../../support/service';

const service = useService();
let account: Client;
beforeEach(async () => {
  account = await service.registered();
});

const put = (isSuspended: unknown, changes: object = {}): Promise<ApiResponse> =>
  service.admin.put(`/users/${account.id}`, account.userBody({ ...changes, isSuspended }));
const suspend = (): Promise<ApiResponse> => put(true);
const logIn = (password = account.password): Promise<ApiResponse> =>
  service.nobody.post('/sessions', { username: account.user.username, password });
const stored = (): Promise<User | null> => service.stored<User>('User', account.id);

describe('a suspended User', () => {
  it('has no session left, and the right password is refused differently from a wrong one', async () => {
    const shown = { isSuspended: true, suspendedAt: expect.stringMatching(/Z$/) };
    expect((await suspend()).body.data).toMatchObject(shown);
    expectError(await account.get('/users'), 'accountGone');
    expectError(await service.nobody.post('/tokens', { refreshToken: account.refreshToken }), 'refreshTokenUnusable');
    expectError(await logIn(), 'suspended');
    expectError(await logIn('a wrong password'), 'wrongLogin');
    expect((await stored())?.sessions).toEqual([]);
  });

  it('stays a Manager, and logs in again once the suspension has ended', async () => {
    const { _id } = await createOrganization(account);
    await suspend();
    expect((await service.admin.get(`/organizations/${_id}`)).body.managerIds).toEqual([account.id]);
    expectError(await service.admin.delete(`/organizations/${_id}/managers/${account.id}`), 'lastManager');
    expect((await put(false)).body.data).toMatchObject({ isSuspended: false, suspendedAt: null });
    expectError(await account.get('/users'), 'accountGone');
    expect((await logIn()).status).toBe(201);
  });

  it('who is an Admin and suspends themselves has no session left either', async () => {
    await service.admin.put(`/users/${account.id}`, account.userBody({ roles: ['admin'] }));
    expect((await account.put(`/users/${account.id}`, account.userBody({ isSuspended: true }))).status).toBe(200);
    expect((await stored())?.sessions).toEqual([]);
  });

  it('finishes a request that was authorized before', async () => {
    const { _id } = await createOrganization(account);
    const body = organizationBody();
    const { program } = await withKey(account);
    for (const client of [account, program]) {
      const response = await meanwhile(service, 'after the guards', suspend, () =>
        client.put(`/organizations/${_id}`, { ...body, name: `By ${client.token.slice(0, 6)}` }),
      );
      expect(response.status).toBe(200);
      await put(false);
      account = await service.logIn({ username: account.user.username, password: account.password });
    }
  });
});

describe('isSuspended', () => {
  it('keeps its value when it is left out or null, and suspendedAt with it', async () => {
    const { suspendedAt } = (await suspend()).body.data;
    const { data } = (await put(undefined, { companyName: 'Other', suspendedAt: null })).body;
    expect(data).toMatchObject({ isSuspended: true, suspendedAt, companyName: 'Other' });
    expect((await put(true, { companyName: 'Other' })).body.data).toEqual(data);
    expect((await put(null, { companyName: 'Other' })).body.data).toEqual(data);
    expect((await put(false)).body.data).toMatchObject({ isSuspended: false, suspendedAt: null });
  });

  it('is false for a User that an earlier version stored', async () => {
    await service.model<User>('User').updateOne({ _id: account.id }, { $unset: { isSuspended: 1, suspendedAt: 1 } });
    const { body } = await account.get(`/users/${account.id}`);
    expect(body).toMatchObject({ isSuspended: false, suspendedAt: null });
    expect((await account.put(`/users/${account.id}`, body)).body.data).toEqual(body);
    expect(await service.stored('User', account.id)).toMatchObject({ revision: 0 });
  });

  it('is set in a POST by an Admin: the new User cannot log in', async () => {
    const user = newUserBody({ isSuspended: true });
    const { body } = await service.admin.post('/users', user);
    expect(body.data).toMatchObject({ isSuspended: true, suspendedAt: expect.stringMatching(/Z$/) });
    const { username, password } = user;
    expectError(await service.nobody.post('/sessions', { username, password }), 'suspended');
  });

  it('filters the list of Users', async () => {
    await suspend();
    const suspended = idsOf(await service.admin.get('/users?isSuspended=true'));
    const others = idsOf(await service.admin.get('/users?isSuspended=false'));
    expect(suspended).toContain(account.id);
    expect(others).toContain(service.admin.id);
    expect([...suspended, ...others].sort()).toEqual(idsOf(await service.admin.get('/users')));
  });
});

it('only changes that concern an Admin wait for each other', async () => {
  const written = async () => (await service.model<AdminGuard>('AdminGuard').findOne())?.changes ?? 0;
  const before = await written();
  for (const isSuspended of [true, false, null]) await put(isSuspended, { companyName: `Is ${isSuspended}` });
  expect((await service.admin.delete(`/users/${account.id}`)).status).toBe(204);
  expect(await written()).toBe(before);
  account = await service.account({ roles: ['admin'] });
  await put(null, { companyName: 'Other' });
  const after = await written();
  await suspend();
  expect(await written()).toBe(after + 1);
});

describe('the last Admin who is not suspended', () => {
  let second: Client;
  beforeEach(async () => {
    second = await service.account({ roles: ['admin'] });
    account = second;
    await suspend();
  });

  it.each([{ isSuspended: true }, { roles: [] }])('is not changed to %j', async (change) => {
    const { admin } = service;
    expectError(await admin.put(`/users/${admin.id}`, admin.userBody(change)), 'lastAdmin');
  });

  it('is not deleted, and another one may be', async () => {
    expectError(await service.admin.delete(`/users/${service.admin.id}`), 'lastAdmin');
    expect((await service.admin.delete(`/users/${second.id}`)).status).toBe(204);
  });
});
