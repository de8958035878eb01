import type { OrganizationDto } from '../../src/organizations/organization.dto';
import { Organization } from '../../src/organizations/organization.schema';
import { User } from '../../src/users/user.schema';
import { ApiResponse, Client } from '../support/client';
import { expectFailure, expectFaults } from '../support/expect-error';
import { createOrganization, NOTHING } from '../support/records';
import { Service, startService } from '../support/service';

let service: Service;
let founder: Client;
let joiner: Client;
let record: OrganizationDto;
let path: string;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  [founder, joiner] = await Promise.all([service.account(), service.account()]);
  record = await createOrganization(founder);
  path = `/organizations/${record._id}/managers`;
});

const add = (fields: object, client = founder): Promise<ApiResponse> => client.post(path, fields);
const stored = (): Promise<Organization | null> =>
  service.model<Organization>('Organization').findById(record._id).lean();
const managers = async (): Promise<string[]> => (await stored())?.managers.map(({ _id }) => _id.toHexString()) ?? [];

describe('POST /organizations/:id/managers', () => {
  it('makes a User a Manager', async () => {
    const answer = await add({ userId: joiner.id });
    const { createdAt, ...rest } = answer.body.data;
    const { username, companyName } = joiner.user;
    expect(answer).toMatchObject({ status: 201, headers: { location: `${path}/${joiner.id}` } });
    expect(rest).toEqual({ _id: joiner.id, username, companyName, createdBy: founder.id });
    const got = await founder.get(`${path}/${joiner.id}`);
    expect({ body: got.body, etag: got.headers.etag }).toEqual({ body: answer.body.data, etag: answer.headers.etag });
    expect(Date.now() - Date.parse(createdAt)).toBeLessThan(10_000);
  });

  it('changes the Organization, and not the User', async () => {
    await add({ userId: joiner.id });
    const organization = await founder.get(`/organizations/${record._id}`);
    expect(organization.headers.etag).toBe('"1-1"');
    expect(organization.body.managerIds).toEqual([founder.id, joiner.id]);
    expect(Date.parse(organization.body.updatedAt)).toBeGreaterThan(Date.parse(record.updatedAt));
    expect((await stored())?.managers.at(1)).toMatchObject({ createdAt: new Date(organization.body.updatedAt) });
    expect((await joiner.get(`/users/${joiner.id}`)).body).toEqual(joiner.user);
  });

  it('works on the very next request', async () => {
    expectFailure(await joiner.get(path), 'forbidden');
    await add({ userId: joiner.id });
    expect((await joiner.get(path)).status).toBe(200);
  });

  it.each([
    ['userId', () => ({ userId: joiner.id })],
    ['username, without regard to case', () => ({ username: joiner.user.username.toUpperCase() })],
    ['email, without regard to case', () => ({ email: ` ${joiner.user.email.toUpperCase()}` })],
    ['userId beside blanks', () => ({ userId: joiner.id, username: '', email: null })],
    ['userId beside what a Manager shows', () => ({ userId: joiner.id, _id: NOTHING, createdBy: 1, createdAt: 'x' })],
  ])('takes %s', async (_, fields) => {
    expect((await add(fields())).body.data._id).toBe(joiner.id);
    expect(await managers()).toEqual([founder.id, joiner.id]);
  });

  it.each([
    ['none of the three', [['missing', 'userId']], () => ({})],
    ['none but blanks', [['missing', 'userId']], () => ({ userId: null, username: ' ' })],
    ['two', [['unknownField', 'username']], () => ({ userId: joiner.id, username: 'x' })],
    ['two others', [['unknownField', 'email']], () => ({ username: 'x', email: 'y' })],
    [
      'all three',
      [
        ['unknownField', 'username'],
        ['unknownField', 'email'],
      ],
      () => ({ userId: joiner.id, username: 'x', email: 'y' }),
    ],
    ['an id of another form', [['badFormat', 'userId']], () => ({ userId: joiner.id.toUpperCase() })],
    ['an operator', [['wrongType', 'username']], () => ({ username: { $ne: '' } })],
    ['an id of nobody', [['namesNothing', 'userId']], () => ({ userId: NOTHING })],
    ['a username of nobody', [['namesNothing', 'username']], () => ({ username: 'nobody-here' })],
    ['an e-mail address of nobody', [['namesNothing', 'email']], () => ({ email: 'nobody@roster.example' })],
    ['a companyName alone', [['missing', 'userId']], () => ({ companyName: 'x' })],
    ['an unknown field', [['unknownField', 'role']], () => ({ userId: joiner.id, role: 'owner' })],
  ] as const)('refuses %s', async (_, found, fields) => {
    expectFaults(await add(fields()), ...found);
    expect(await managers()).toEqual([founder.id]);
  });

  it('refuses who is a Manager already', async () => {
    await add({ userId: joiner.id });
    const before = await stored();
    for (const fields of [{ userId: joiner.id }, { username: joiner.user.username }, { email: founder.user.email }]) {
      expectFailure(await add(fields), 'managerExists');
    }
    expect(await stored()).toEqual(before);
  });

  it('is for Managers and Admins', async () => {
    expectFailure(await add({ userId: joiner.id }, joiner), 'forbidden');
    expect(await managers()).toEqual([founder.id]);
    const answer = await add({ userId: joiner.id }, service.admin);
    expect(answer.body.data).toMatchObject({ createdBy: service.admin.id, email: joiner.user.email });
  });

  it('holds 500 Managers and no more', async () => {
    const { ObjectId } = service.connection.base.Types;
    const places = Array.from({ length: 498 }, () => ({
      _id: new ObjectId(),
      createdBy: new ObjectId(founder.id),
      createdAt: new Date(),
    }));
    const organizations = service.model<Organization>('Organization');
    await organizations.updateOne({ _id: record._id }, { $push: { managers: { $each: places } } });
    expect((await add({ userId: joiner.id })).status).toBe(201);
    const another = await service.account();
    expectFailure(await add({ userId: another.id }), 'tooMany', 'An Organization has at most 500 Managers.');
    expect(await managers()).toHaveLength(500);
  });

  it('makes somebody a Manager once, of many requests at once', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => add({ userId: joiner.id })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect(await managers()).toEqual([founder.id, joiner.id]);
  });
});

describe('the e-mail address with open registration', () => {
  let open: Service;
  beforeAll(async () => {
    open = await startService({ REGISTRATION: 'open' });
  });
  afterAll(() => open.stop());

  it('is for Admins only, since it is a claim', async () => {
    const [manager, other] = [await open.account(), await open.account()];
    const { _id } = await createOrganization(manager);
    const { email } = (await open.model<User>('User').findById(other.id).lean()) as User;
    expectFaults(await manager.post(`/organizations/${_id}/managers`, { email }), ['namesNothing', 'email']);
    expect((await open.admin.post(`/organizations/${_id}/managers`, { email })).status).toBe(201);
  });
});
