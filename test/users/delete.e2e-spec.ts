import { Organization } from '../../src/organizations/organization.schema';
import { User } from '../../src/users/user.schema';
import { uploaded } from '../files/uploads';
import { Client } from '../support/client';
import { expectFailure } from '../support/expect-error';
import { addManager, createOrganization, etag, ifMatch } from '../support/records';
import { Service, startService } from '../support/service';

let service: Service;
let account: Client;
let other: Client;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  [account, other] = [await service.account(), await service.account()];
});

const pathOf = ({ id }: Client): string => `/users/${id}`;
const stored = ({ id }: Client): Promise<User | null> => service.stored<User>('User', id);
const organization = (_id: string): Promise<Organization | null> => service.stored<Organization>('Organization', _id);

describe('DELETE /users/:id', () => {
  it('deletes the User, ends their sessions at once, and frees username and e-mail address', async () => {
    account = await service.registered();
    const { refreshToken, user } = account;
    expect(await account.delete(pathOf(account))).toMatchObject({ status: 204, text: '' });
    expect(await stored(account)).toBeNull();
    expectFailure(await account.get('/sessions'), 'accountGone');
    expectFailure(await service.nobody.post('/tokens', { refreshToken }), 'refreshTokenUnusable');
    expectFailure(await service.admin.get(pathOf(account)), 'userNotFound');
    expectFailure(await service.admin.delete(pathOf(account)), 'userNotFound');
    await service.registered({ username: user.username, email: user.email });
  });

  it('removes the User from every Organization that they manage, and raises its revision', async () => {
    const { _id } = await createOrganization(account);
    const untouched = await organization((await createOrganization(account))._id);
    await addManager(account, _id, other.id);
    const { updatedAt } = (await account.get(`/organizations/${_id}`)).body;
    expect((await other.delete(pathOf(other))).status).toBe(204);
    const { body, headers } = await account.get(`/organizations/${_id}`);
    expect({ ids: body.managerIds, etag: headers.etag }).toEqual({ ids: [account.id], etag: etag(2) });
    expect(Date.parse(body.updatedAt)).toBeGreaterThan(Date.parse(updatedAt));
    expect(await organization(String(untouched?._id))).toEqual(untouched);
  });

  it('keeps the last Admin, after If-Match and before Organizations are looked at', async () => {
    const { admin } = service;
    await createOrganization(admin);
    expectFailure(await admin.delete(pathOf(admin), ifMatch(1)), 'preconditionFailed');
    expectFailure(await admin.delete(pathOf(admin)), 'lastAdmin');
    expect(await stored(admin)).not.toBeNull();
  });

  it('deletes an Admin where there is another, who then is the last', async () => {
    account = await service.account({ roles: ['admin'] });
    const { _id } = await createOrganization(account);
    expectFailure(await account.delete(pathOf(account)), 'lastManager', expect.any(String));
    expect(await stored(account)).toMatchObject({ roles: ['admin'] });
    await account.delete(`/organizations/${_id}`);
    expect((await account.delete(pathOf(account))).status).toBe(204);
    expectFailure(await service.admin.delete(pathOf(service.admin)), 'lastAdmin');
  });
});
