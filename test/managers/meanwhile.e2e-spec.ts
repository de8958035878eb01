import { ManagersService } from '../../src/managers/managers.service';
import type { OrganizationDto } from '../../src/organizations/organization.dto';
import { Organization } from '../../src/organizations/organization.schema';
import { User } from '../../src/users/user.schema';
import { UsersService } from '../../src/users/users.service';
import { ApiResponse, Client } from '../support/client';
import { expectFailure, expectFaults } from '../support/expect-error';
import { afterwards, meanwhile } from '../support/meanwhile';
import { addManager, createOrganization, idsOf } from '../support/records';
import { Service, startService } from '../support/service';

let service: Service;
let managers: ManagersService;
let founder: Client;
let second: Client;
let joiner: Client;
let record: OrganizationDto;
let path: string;
beforeAll(async () => {
  service = await startService();
  managers = service.app.get(ManagersService);
});
afterAll(() => service.stop());
beforeEach(async () => {
  [founder, second, joiner] = await Promise.all([service.account(), service.account(), service.account()]);
  record = await createOrganization(founder);
  path = `/organizations/${record._id}/managers`;
  await addManager(founder, record._id, second.id);
});
afterEach(() => jest.restoreAllMocks());

const stored = (): Promise<Organization | null> =>
  service.model<Organization>('Organization').findById(record._id).lean();
const storedIds = async (): Promise<string[]> => (await stored())?.managers.map(({ _id }) => _id.toHexString()) ?? [];

/** As many Managers more, whom nobody asks for. */
async function fill(count: number): Promise<void> {
  const { ObjectId } = service.connection.base.Types;
  const places = Array.from({ length: count }, () => ({
    _id: new ObjectId(),
    createdBy: new ObjectId(founder.id),
    createdAt: new Date(),
  }));
  const organizations = service.model<Organization>('Organization');
  await organizations.updateOne({ _id: record._id }, { $push: { managers: { $each: places } } });
}

describe('POST /organizations/:id/managers, when after its judgement', () => {
  const add = (): Promise<ApiResponse> => founder.post(path, { userId: joiner.id });

  it('somebody else adds the same User: they are a Manager once', async () => {
    meanwhile(managers, 'create', () => addManager(second, record._id, joiner.id));
    expectFailure(await add(), 'managerExists');
    expect(await storedIds()).toEqual([founder.id, second.id, joiner.id]);
  });

  it('somebody else adds another: both are there, without judging again', async () => {
    const other = await service.account();
    const find = jest.spyOn(service.app.get(UsersService), 'find');
    meanwhile(managers, 'create', () => addManager(second, record._id, other.id));
    expect((await add()).status).toBe(201);
    expect(await storedIds()).toEqual([founder.id, second.id, other.id, joiner.id]);
    expect(find).toHaveBeenCalledTimes(2);
  });

  it('the last place is taken: it is refused', async () => {
    meanwhile(managers, 'create', () => fill(498));
    expectFailure(await add(), 'tooMany', 'An Organization has at most 500 Managers.');
    expect(await storedIds()).toHaveLength(500);
  });

  it('one place is left: it is taken', async () => {
    meanwhile(managers, 'create', () => fill(497));
    expect((await add()).status).toBe(201);
    expect(await storedIds()).toHaveLength(500);
  });

  it('the caller is removed: they may add nobody', async () => {
    meanwhile(managers, 'create', () => second.delete(`${path}/${founder.id}`));
    expectFailure(await add(), 'forbidden');
    expect(await storedIds()).toEqual([second.id]);
  });

  it('the Organization is deleted: it is not there', async () => {
    meanwhile(managers, 'create', () => second.delete(`/organizations/${record._id}`));
    expectFailure(await add(), 'organizationNotFound');
  });

  it.each([
    ['userId', () => ({ userId: joiner.id })],
    ['username', () => ({ username: joiner.user.username })],
    ['email', () => ({ email: joiner.user.email })],
  ])('the User, found by %s, is deleted: it names nobody, and nothing changes', async (title, fields) => {
    const before = await stored();
    afterwards(service.app.get(UsersService), 'find', () => service.admin.delete(`/users/${joiner.id}`));
    expectFaults(await founder.post(path, fields()), ['namesNothing', title]);
    expect(await stored()).toEqual(before);
  });
});

describe('GET of managers, when after its judgement', () => {
  it('the Manager leaves: there is none', async () => {
    meanwhile(managers, 'get', () => second.delete(`${path}/${second.id}`));
    expectFailure(await founder.get(`${path}/${second.id}`), 'managerNotFound');
  });

  it('the User is deleted: there is none', async () => {
    meanwhile(managers, 'get', () => service.admin.delete(`/users/${second.id}`));
    expectFailure(await founder.get(`${path}/${second.id}`), 'managerNotFound');
  });

  it('the Organization is deleted: there is none, in it or at all', async () => {
    meanwhile(managers, 'get', () => founder.delete(`/organizations/${record._id}`));
    expectFailure(await founder.get(`${path}/${second.id}`), 'managerNotFound');
    record = await createOrganization(founder, { name: 'Another, which goes too' });
    meanwhile(managers, 'list', () => founder.delete(`/organizations/${record._id}`));
    expectFailure(await founder.get(`/organizations/${record._id}/managers`), 'organizationNotFound');
  });

  it('somebody joins: they are shown', async () => {
    meanwhile(managers, 'list', () => addManager(founder, record._id, joiner.id));
    expect(idsOf(await founder.get(path))).toEqual([founder.id, second.id, joiner.id]);
  });
});

describe('DELETE /organizations/:id/managers/:managerId, when after its judgement', () => {
  const remove = (headers = {}): Promise<ApiResponse> => founder.delete(`${path}/${second.id}`, headers);

  it('the Manager leaves: there is none any more', async () => {
    meanwhile(managers, 'remove', () => second.delete(`${path}/${second.id}`));
    expectFailure(await remove(), 'managerNotFound');
  });

  it('the other Manager leaves: the last one stays', async () => {
    meanwhile(managers, 'remove', () => second.delete(`${path}/${founder.id}`));
    expectFailure(await second.delete(`${path}/${second.id}`), 'lastManager');
    expect(await storedIds()).toEqual([second.id]);
  });

  it('the caller is removed: they may remove nobody', async () => {
    meanwhile(managers, 'remove', () => second.delete(`${path}/${founder.id}`));
    expectFailure(await remove(), 'forbidden');
    expect(await storedIds()).toEqual([second.id]);
  });

  it('the Organization changes: the Manager goes all the same', async () => {
    meanwhile(managers, 'remove', () => addManager(second, record._id, joiner.id));
    expect((await remove()).status).toBe(204);
    expect(await storedIds()).toEqual([founder.id, joiner.id]);
  });

  it('the User changes: an If-Match of before is refused', async () => {
    const { username, email } = second.user;
    const tag = (await founder.get(`${path}/${second.id}`)).headers.etag;
    meanwhile(managers, 'remove', () => second.put(`/users/${second.id}`, { username, email, companyName: 'Another' }));
    expectFailure(await remove({ 'if-match': tag }), 'preconditionFailed');
    expect(await storedIds()).toEqual([founder.id, second.id]);
  });

  it('the User is deleted: there is none any more', async () => {
    meanwhile(managers, 'remove', () => service.model<User>('User').deleteOne({ _id: second.id }));
    expectFailure(await remove({ 'if-match': '"of before"' }), 'managerNotFound');
  });
});
