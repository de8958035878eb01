import { Types } from 'mongoose';
import type { OrganizationDto } from '../../../src/registry/organizations/organization.dto';
import { Organization } from '../../../src/registry/organizations/organization.schema';
import { ApiResponse, Client } from '../../support/client';
import { type Expected, expectError, expectFieldErrors, expectOutcome } from '../../support/expect-error';
import { meanwhile, MOMENTS } from '../../support/meanwhile';
import {
  addManager,
  backdate,
  createOrganization,
  etag,
  idsOf,
  linkOf,
  newManager,
  NOTHING,
} from '../../support/records';
import { useService } from '../../support/service';

const service = useService();
let manager: Client;
let other: Client;
let record: OrganizationDto;
let path: string;
beforeEach(async () => {
  [manager, other] = [await service.account(), await service.account()];
  record = await createOrganization(manager);
  path = `/organizations/${record._id}/managers`;
});

const add = (fields: object, client = manager): Promise<ApiResponse> => client.post(path, fields);
const suspend = async (user: Client, isSuspended = true): Promise<void> =>
  expectOutcome(await service.admin.put(`/users/${user.id}`, user.userBody({ isSuspended })), 200);
const stored = (): Promise<Organization | null> => service.stored<Organization>('Organization', record._id);
const managers = async (): Promise<string[]> => (await stored())?.managers.map(({ _id }) => _id.toHexString()) ?? [];

describe('POST /organizations/:id/managers', () => {
  it('makes a User a Manager from the very next request on', async () => {
    expectError(await add({ userId: other.id }, other), 'forbidden');
    const response = await add({ userId: other.id });
    const { createdAt: _, ...rest } = response.body.data;
    const { username, companyName, email } = other.user;
    expect(response).toMatchObject({ status: 201, headers: { location: `${path}/${other.id}` } });
    expect(rest).toEqual({ _id: other.id, username, companyName, email, createdBy: manager.id });
    expectError(await add({ userId: other.id }, other), 'managerExists');
    const shown = await manager.get(`${path}/${other.id}`);
    expect(shown).toMatchObject({ body: response.body.data, headers: { etag: response.headers.etag } });
  });

  it.each([
    ['username, without regard to case', () => ({ username: other.user.username.toUpperCase() })],
    ['email, without regard to case', () => ({ email: ` ${other.user.email.toUpperCase()}` })],
    ['userId next to blanks', () => ({ userId: other.id, username: '', email: null })],
    [
      'userId next to read-only fields',
      () => ({ userId: other.id, _id: 1, companyName: 1, createdBy: 1, createdAt: 1 }),
    ],
  ])('takes %s', async (_, fields) => {
    expect((await add(fields())).body.data._id).toBe(other.id);
    expect(await managers()).toEqual([manager.id, other.id]);
  });

  it.each([
    ['userId', NOTHING],
    ['username', 'nobody-here'],
    ['email', 'nobody@roster.example'],
  ] as const)('refuses an unknown %s, without telling whether there is such a User', async (field, value) => {
    const response = await add({ [field]: value });
    expectFieldErrors(response, ['namesNothing', field]);
    const detail = 'is not a User who may be added';
    expect(response.body.message[0].detail).toBe(detail);
    expect(await managers()).toEqual([manager.id]);
    const toAdmin = (await add({ [field]: value }, service.admin)).body.message[0].detail;
    const [said, advice] = toAdmin.split('; ');
    expect(said).toBe(field === 'email' ? 'is not the e-mail address of a User' : detail);
    expect(advice).toBe('invite somebody without an account with POST /organizations/:id/invitations');
  });

  it('refuses a suspended User like an unknown one, also one who is a Manager', async () => {
    await addManager(manager, record._id, other.id);
    for (const user of [await service.account(), other]) {
      await suspend(user);
      for (const client of [manager, service.admin])
        expectFieldErrors(await add({ userId: user.id }, client), ['namesNothing', 'userId']);
    }
    expect(await managers()).toEqual([manager.id, other.id]);
  });
});

describe('DELETE /organizations/:id/managers/:managerId', () => {
  beforeEach(() => addManager(manager, record._id, other.id));

  it('removes the Manager, who may do nothing more from the very next request on', async () => {
    const longAgo = await backdate(service, 'Organization', record._id);
    expect(await manager.delete(`${path}/${other.id}`)).toMatchObject({ status: 204, text: '' });
    expect(await managers()).toEqual([manager.id]);
    expectError(await add({ userId: other.id }, other), 'forbidden');
    const { body, headers } = await manager.get(`/organizations/${record._id}`);
    expect({ ids: body.managerIds, etag: headers.etag }).toEqual({ ids: [manager.id], etag: etag(2) });
    expect(body.updatedAt).not.toBe(longAgo);
  });

  it('keeps the last one for every caller', async () => {
    expect((await manager.delete(`${path}/${manager.id}`)).status).toBe(204);
    const last = `${path}/${other.id}`;
    for (const client of [other, service.admin]) expectError(await client.delete(last), 'lastManager');
    expect(await managers()).toEqual([other.id]);
  });

  it('keeps the last one who is not suspended for every caller, and removes those who are', async () => {
    const third = await newManager(service, record._id);
    for (const user of [other, third]) await suspend(user);
    for (const client of [manager, service.admin])
      expectError(await client.delete(`${path}/${manager.id}`), 'lastManager');
    expectError(await manager.delete(`/users/${manager.id}`), 'lastManager', expect.stringContaining(record.name));
    expectOutcome(await manager.delete(`${path}/${other.id}`), 204);
    await suspend(third, false);
    expectOutcome(await manager.delete(`${path}/${manager.id}`), 204);
    expect(await managers()).toEqual([third.id]);
  });

  it('lets an Admin suspend all, and then remove all but one, or add another', async () => {
    for (const user of [manager, other]) await suspend(user);
    const joiner = await newManager(service, record._id);
    for (const user of [joiner, manager]) await suspend(user);
    expectOutcome(await service.admin.delete(`/users/${manager.id}`), 204);
    expectOutcome(await service.admin.delete(`${path}/${other.id}`), 204);
    expectError(await service.admin.delete(`${path}/${joiner.id}`), 'lastManager');
    expect(await managers()).toEqual([joiner.id]);
  });

  it('compares If-Match with what GET shows this caller', async () => {
    const reader = await service.account();
    const shownTo = async (client: Client) => ({ 'if-match': (await client.get(`${path}/${other.id}`)).headers.etag });
    expectError(await manager.delete(`${path}/${other.id}`, await shownTo(reader)), 'preconditionFailed');
    expect((await manager.delete(`${path}/${other.id}`, await shownTo(manager))).status).toBe(204);
  });
});

describe('GET /organizations/:id/managers', () => {
  let people: Client[];
  beforeAll(async () => {
    const accounts = await service.accountsOf(4);
    // Not in the order of the ids, so the order of joining shows.
    people = accounts.sort((one, other) => (one.id < other.id ? 1 : -1));
  });
  beforeEach(async () => {
    [manager, other] = people as [Client, Client];
    path = `/organizations/${(await createOrganization(manager))._id}/managers`;
    for (const { id } of people.slice(1)) await addManager(manager, path.split('/')[2]!, id);
  });

  it('shows every account who the Managers are, in the order of joining, and Managers and Admins their addresses', async () => {
    const reader = await service.account();
    const shown = people.map(({ id: _id, user: { username, companyName } }) => ({ _id, username, companyName }));
    const contacts = people.map(({ user }) => user.email);
    for (const client of [reader, manager, other, service.admin]) {
      const { data } = (await client.get(path)).body;
      expect(data).toMatchObject(shown);
      const emails = data.map(({ email }: { email?: string }) => email);
      expect(emails).toEqual(client === reader ? people.map(() => undefined) : contacts);
      expect((await client.get(`${path}/${other.id}`)).body).toEqual(data[1]);
    }
  });

  it('lists all without limit, and leads back in pages of 100', async () => {
    const [, , organizationId] = path.split('/');
    const createdBy = new Types.ObjectId(manager.id);
    const users = await service.accountsOf(146);
    const joined = users.map(({ id }) => ({ _id: new Types.ObjectId(id), createdBy, createdAt: new Date() }));
    await service.model('Organization').updateOne({ _id: organizationId }, { $push: { managers: { $each: joined } } });
    const all = idsOf(await manager.get(path));
    expect(all).toHaveLength(150);
    const rest = await manager.get(`${path}?skip=120`);
    expect({ ids: idsOf(rest), next: linkOf(rest, 'next') }).toEqual({ ids: all.slice(120), next: undefined });
    const before = await manager.get(linkOf(rest, 'prev')!);
    expect(idsOf(before)).toEqual(all.slice(20, 120));
    expect(idsOf(await manager.get(linkOf(before, 'prev')!))).toEqual(all.slice(0, 20));
  });
});

describe('while another request changes the Managers', () => {
  let second: Client;
  let joiner: Client;
  beforeEach(async () => {
    [second, joiner] = [await newManager(service, record._id), await service.account()];
  });

  const addJoiner = (): Promise<ApiResponse> => add({ userId: joiner.id });
  const join = (client: Client): Promise<void> => addManager(second, record._id, client.id);
  const remove = (manager: Client, caller = second, headers = {}): Promise<ApiResponse> =>
    caller.delete(`${path}/${manager.id}`, headers);
  const removeSecond = (): Promise<ApiResponse> => remove(second, manager);

  const two = (): Client[] => [manager, second];

  type Row = [
    title: string,
    request: () => Promise<ApiResponse>,
    event: () => Promise<unknown>,
    expected: Expected,
    left: () => Client[],
  ];

  const rows: Row[] = [
    [
      'POST: another adds the same User: added once',
      addJoiner,
      () => join(joiner),
      'managerExists',
      () => [...two(), joiner],
    ],
    ['POST: the caller is removed: they add no one', addJoiner, () => remove(manager), 'forbidden', () => [second]],
    ['POST: the User is suspended: refused', addJoiner, () => suspend(joiner), ['namesNothing', 'userId'], two],
    ['DELETE: the Manager leaves: not found', removeSecond, () => remove(second), 'managerNotFound', () => [manager]],
    ['DELETE: the other leaves: refused', () => remove(second), () => remove(manager), 'lastManager', () => [second]],
    ['DELETE: the caller is removed: forbidden', removeSecond, () => remove(manager), 'forbidden', () => [second]],
  ];

  describe.each(MOMENTS)('%s', (moment) => {
    it.each(rows)('of %s', async (_title, request, event, expected, left) => {
      expectOutcome(await meanwhile(service, moment, event, request), expected);
      expect(await managers()).toEqual(left().map(({ id }) => id));
    });
  });
});
