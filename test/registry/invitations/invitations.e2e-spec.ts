import { Types } from 'mongoose';
import type { CreatedInvitationDto } from '../../../src/registry/links/link.dto';
import type { Link } from '../../../src/registry/links/link.schema';
import { MAX_MANAGERS, type Organization } from '../../../src/registry/organizations/organization.schema';
import type { ApiResponse, Client } from '../../support/client';
import { expectError, expectFieldErrors, expectOutcome } from '../../support/expect-error';
import { meanwhile, MOMENTS } from '../../support/meanwhile';
import { addManager, created, createOrganization, idsOf, newManager, unique } from '../../support/records';
import { startService, useService } from '../../support/service';

const service = useService({ INVITATIONS: 'managers', REGISTRATIONS_PER_HOUR: '3' });
let manager: Client;
let organizationId: string;
let path: string;
beforeEach(async () => {
  manager = await service.account();
  organizationId = (await createOrganization(manager))._id;
  path = `/organizations/${organizationId}/invitations`;
});

const newEmail = (): string => `${unique()}@roster.example`;
const invite = (by: Client, email = newEmail(), to = path): Promise<ApiResponse> => by.post(to, { email });
/** The invitation, and a client that sends its token. */
const invited = async (by = manager, email?: string): Promise<CreatedInvitationDto & { holder: Client }> => {
  const invitation = created<CreatedInvitationDto>(await invite(by, email));
  return { ...invitation, holder: manager.with(invitation.token) };
};
const newUser = (fields: object = {}): object => ({
  ...{ username: `user-${unique()}`, companyName: 'Nets', password: 'a passphrase of their own' },
  ...fields,
});
let addresses = 0;
/** Each from another address, unless the test is about the limit per address. */
const accept = (holder: Client, payload = newUser(), remoteAddress = `10.2.0.${(addresses += 1)}`) =>
  holder.send({ method: 'POST', path: '/links/current', payload, remoteAddress });
const managerIds = async (): Promise<string[]> =>
  (await service.admin.get(`/organizations/${organizationId}`)).body.managerIds as string[];
const put = (user: Client, changes: object): Promise<ApiResponse> =>
  service.admin.put(`/users/${user.id}`, user.userBody(changes));
const usersWith = async (email: string): Promise<object[]> =>
  (await service.admin.get(`/users?email=${email}`)).body.data as object[];

describe('An invitation', () => {
  it('creates an account with its address, and a Manager, and works once', async () => {
    const { holder, email, _id, token, path: page } = await invited();
    expect(page).toBe(`/catalog/#link=${token}`);
    const { name } = (await manager.get(`/organizations/${organizationId}`)).body;
    const link = { purpose: 'invitation', email, organizationName: name, expiresAt: expect.any(String) as string };
    expect((await holder.get('/links/current')).body).toEqual(link);
    const body = newUser();
    const { data: user } = (await accept(holder, body)).body;
    const { purpose, ...shown } = user;
    expect(purpose).toBe('invitation');
    expect((await service.admin.get(`/users/${user._id}`)).body).toEqual(shown);
    expect(shown).toMatchObject({ email, companyName: 'Nets', roles: [] });
    expect(await managerIds()).toEqual([manager.id, user._id]);
    const [, { createdBy }] = (await manager.get(`/organizations/${organizationId}/managers`)).body.data;
    expect(createdBy).toBe(manager.id);
    await service.logIn(body as Record<'username' | 'password', string>);
    for (const response of [await accept(holder), await manager.delete(`${path}/${_id}`)])
      expectError(response, 'linkNotFound');
    expect(await service.model<Link>('Link').countDocuments({ organizationId })).toBe(0);
  });

  it('leaves the Events of the account and the Manager, with the new User as actor', async () => {
    const { holder } = await invited();
    const { _id, username } = (await accept(holder)).body.data;
    const { data } = (await service.admin.get(`/events?actorId=${_id}`)).body;
    const by = { actorUsername: username as string, resourceId: _id as string };
    expect(data).toMatchObject([
      { type: 'manager.created', organizationId, ...by },
      { type: 'user.created', ...by },
    ]);
  });

  it.each<[string, object, ...Parameters<typeof expectFieldErrors>[1][]]>([
    [
      'only a password',
      { username: undefined, companyName: null },
      ['missing', 'username'],
      ['missing', 'companyName'],
    ],
    ['a weak password', { password: 'Password1' }, ['tooCommon', 'password']],
    ['another address', { email: 'x@roster.example' }, ['unknownField', 'email']],
  ])('is not used up by a body with %s', async (_title, fields, ...errors) => {
    const { holder } = await invited();
    expectFieldErrors(await accept(holder, newUser(fields)), ...errors);
    expectOutcome(await accept(holder), 201);
  });

  it('is not used up by a username that is taken, or its own address as the password', async () => {
    const { holder, email } = await invited();
    const password = email.toUpperCase();
    expectFieldErrors(await accept(holder, newUser({ password })), ['tooCommon', 'password']);
    expectError(await accept(holder, newUser({ username: manager.user.username })), 'usernameTaken');
    expectOutcome(await accept(holder), 201);
  });

  it('tells only an Admin that an address has an account; a Manager learns it when the link is used', async () => {
    const { email } = (await service.account()).user;
    expectError(await invite(service.admin, email.toUpperCase()), 'emailTaken');
    const [taken, free] = [await invite(manager, email), await invite(manager)];
    expect(Object.keys(taken.body.data as object)).toEqual(Object.keys(free.body.data as object));
    const holder = manager.with(taken.body.data.token as string);
    expectOutcome(await holder.get('/links/current'), 200);
    expectError(await accept(holder), 'emailTaken');
    expectOutcome(await holder.get('/links/current'), 200);
  });

  it('of an Admin vouches for the address, that of a Manager does not', async () => {
    for (const [maker, title] of [
      [service.admin, 201],
      [manager, ['namesNothing', 'email']],
    ] as const) {
      const { holder, email } = await invited(maker);
      expectOutcome(await accept(holder), 201);
      const other = await createOrganization(manager);
      expectOutcome(await manager.post(`/organizations/${other._id}/managers`, { email }), title);
    }
  });

  it('of a Manager counts as a registration of the address, that of an Admin does not', async () => {
    const address = '192.0.2.1';
    const acceptThere = async (maker?: Client) => accept((await invited(maker)).holder, undefined, address);
    for (let count = 0; count < 3; count += 1) expectOutcome(await acceptThere(), 201);
    const message = 'Too many registrations. Try again later.';
    expectError(await acceptThere(), 'tooManyRequests', message);
    expectOutcome(await acceptThere(service.admin), 201);
  });
});

describe('The invitations of an Organization', () => {
  it('are listed while they are open, without their tokens', async () => {
    const [first, used, ended, last] = [
      await invited(),
      await invited(),
      await invited(),
      await invited(service.admin),
    ];
    await accept(used.holder);
    await service.model('Link').updateOne({ _id: ended._id }, { expiresAt: new Date() });
    const { data } = (await manager.get(path)).body;
    const shown = [first, last].map(({ token: _, path: __, holder: ___, ...invitation }) => invitation);
    expect(data).toEqual(shown);
    expect(data[1].createdBy).toBe(service.admin.id);
    expectError(await manager.delete(`${path}/${ended._id}`), 'linkNotFound');
  });

  it('can be revoked in that Organization only', async () => {
    const { _id, holder } = await invited();
    const other = await createOrganization(manager);
    expectError(await manager.delete(`/organizations/${other._id}/invitations/${_id}`), 'linkNotFound');
    expectOutcome(await manager.delete(`${path}/${_id}`), 204);
    expectError(await accept(holder), 'linkNotFound');
    expect(idsOf(await manager.get(path))).toEqual([]);
  });

  it('are limited to 20 per Manager in all Organizations, but not per Admin', async () => {
    const other = await createOrganization(manager);
    const there = `/organizations/${other._id}/invitations`;
    for (let count = 0; count < 19; count += 1) expectOutcome(await invite(manager), 201);
    const takeLast = () => invite(manager, newEmail(), there);
    const raced = await meanwhile(service, 'before the first write', takeLast, () => invite(manager));
    const message = 'You have reached your limit of 20 Invitations.';
    for (const response of [raced, await takeLast()]) expectError(response, 'tooMany', message);
    expectOutcome(await invite(service.admin), 201);
  });
});

describe('An invitation whose creator could not create it any more', () => {
  let maker: Client;
  let holder: Client;
  beforeEach(async () => {
    maker = await newManager(service, organizationId);
    ({ holder } = await invited(maker));
  });

  it.each<[string, number, () => Promise<ApiResponse>]>([
    ['the suspension of its creator', 200, () => put(maker, { isSuspended: true })],
    ['the deletion of its creator', 204, () => service.admin.delete(`/users/${maker.id}`)],
    [
      'its creator left the Organization',
      204,
      () => maker.delete(`/organizations/${organizationId}/managers/${maker.id}`),
    ],
    ['the end of the Organization', 204, () => service.admin.delete(`/organizations/${organizationId}`)],
  ])('is refused after %s', async (_title, status, change) => {
    expectOutcome(await change(), status);
    for (const response of [await holder.get('/links/current'), await accept(holder)])
      expectError(response, 'linkNotFound');
  });

  it('is refused if the Organization is full', async () => {
    const fill = Array.from({ length: MAX_MANAGERS - 2 }, () => ({
      ...{ _id: new Types.ObjectId(), createdBy: new Types.ObjectId(), createdAt: new Date() },
    }));
    const organizations = service.model<Organization>('Organization');
    await organizations.updateOne({ _id: organizationId }, { $push: { managers: { $each: fill } } });
    expectError(await accept(holder), 'linkNotFound');
    await organizations.updateOne({ _id: organizationId }, { $pop: { managers: 1 } });
    expectOutcome(await accept(holder), 201);
  });

  it('is refused with INVITATIONS=admins, unless its creator is an Admin', async () => {
    const strict = await startService({ MONGODB_URI: service.databaseUri });
    const authorization = `Bearer ${holder.token}`;
    const read = () => strict.nobody.get('/links/current', { authorization });
    expectError(await read(), 'linkNotFound');
    await put(maker, { roles: ['admin'] });
    expectOutcome(await read(), 200);
    await strict.stop();
  });

  it('works again when the suspension of its creator has ended', async () => {
    await put(maker, { isSuspended: true });
    expectError(await accept(holder), 'linkNotFound');
    await put(maker, { isSuspended: false });
    expectOutcome(await accept(holder), 201);
  });
});

describe.each(MOMENTS)('An invitation that is being used (%s)', (moment) => {
  it.each<[string, number, (invitation: Awaited<ReturnType<typeof invited>>) => Promise<unknown>]>([
    ['somebody else used it', 1, ({ holder }) => accept(holder)],
    ['it was revoked', 0, ({ _id }) => manager.delete(`${path}/${_id}`)],
    [
      'its creator left the Organization',
      0,
      ({ createdBy }) => manager.delete(`/organizations/${organizationId}/managers/${createdBy}`),
    ],
    ['the Organization was deleted', 0, () => manager.delete(`/organizations/${organizationId}`)],
  ])('creates no account when %s', async (_title, accounts, event) => {
    const invitation = await invited(await newManager(service, organizationId));
    const use = () => accept(invitation.holder);
    const response = await meanwhile(service, moment, () => event(invitation), use);
    expectError(response, 'linkNotFound');
    expect(await usersWith(invitation.email)).toHaveLength(accounts);
  });

  it('works when somebody else joined', async () => {
    const { holder } = await invited();
    const { id } = await service.account();
    const join = () => addManager(manager, organizationId, id);
    expectOutcome(await meanwhile(service, moment, join, () => accept(holder)), 201);
    expect(await managerIds()).toHaveLength(3);
  });
});

it('A Manager who adds somebody unknown is told to invite them', async () => {
  const add = { username: 'nobody-here' };
  const [{ detail }] = (await manager.post(`/organizations/${organizationId}/managers`, add)).body.message;
  expect(detail).toBe(
    'is not a User who may be added; invite somebody without an account with POST /organizations/:id/invitations',
  );
});
