import { HourlySweeps } from '../../../src/platform/records/start/hourly-sweeps';
import type { Link } from '../../../src/registry/links/link.schema';
import type { User } from '../../../src/registry/users/user.schema';
import type { ApiResponse, Client } from '../../support/client';
import { expectError, expectFieldErrors, expectOutcome } from '../../support/expect-error';
import { meanwhile, MOMENTS } from '../../support/meanwhile';
import { created, newUserBody } from '../../support/records';
import { startService, useService } from '../../support/service';
import { withKey } from '../api-keys/keys';
import { withPasswordLink } from '../links/tokens';

const PASSWORD = 'the passphrase that a link sets';
const HOURS_72 = 72 * 60 * 60 * 1000;

const service = useService();
let user: Client;
/** The User, with the token of a link for their password. */
let holder: Client;
beforeEach(async () => {
  user = await service.account();
  holder = await withPasswordLink(service, user);
});

const post = (client: Client, { id } = user, payload?: object): Promise<ApiResponse> =>
  client.post(`/users/${id}/password-links`, payload);
const use = (body: object = { password: PASSWORD }, client = holder): Promise<ApiResponse> =>
  client.post('/links/current', body);
const read = (client = holder): Promise<ApiResponse> => client.get('/links/current');
const logIn = (password: string, { username } = user.user): Promise<ApiResponse> =>
  service.nobody.post('/sessions', { username, password });
const putUser = (changes: object, client = service.admin): Promise<ApiResponse> =>
  client.put(`/users/${user.id}`, user.userBody(changes));
const links = (): Promise<Link[]> => service.model<Link>('Link').find({ userId: user.id }).lean<Link[]>();

describe('POST /users/:id/password-links', () => {
  it('shows the token and the path of its page once, and stores a hash', async () => {
    const { headers, body } = await post(service.admin, user, {});
    const { token, expiresAt } = body.data;
    expect(token).toMatch(/^roster_link_[\w-]{43}$/);
    expect(body.data).toEqual({ token, path: `/catalog/#link=${token}`, expiresAt });
    expect(headers).toMatchObject({ 'cache-control': 'no-store' });
    const [stored, ...others] = await links();
    expect(others).toEqual([]);
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(Date.parse(expiresAt as string) - stored!.createdAt.getTime()).toBe(HOURS_72);
  });

  it('names the path below the base path, and none without the page', async () => {
    const pathWith = async (settings: Record<string, string>, base = ''): Promise<unknown> => {
      const other = await startService({ MONGODB_URI: service.databaseUri, ...settings });
      const { data } = (await other.admin.post(`${base}/users/${user.id}/password-links`)).body;
      await other.stop();
      return data.path;
    };
    expect(await pathWith({ CATALOG: 'off' })).toBeNull();
    expect(await pathWith({ BASE_PATH: '/registry' }, '/registry')).toMatch(/^\/registry\/catalog\/#link=roster_link_/);
  });

  it('is refused for a User who is suspended, or whose password the identity provider has', async () => {
    await putUser({ isSuspended: true });
    expectError(await post(service.admin), 'noPasswordLink', 'The User is suspended.');
    const elsewhere = newUserBody({ password: undefined, externalId: 'only there' });
    const { _id } = created(await service.admin.post('/users', elsewhere));
    expectOutcome(await service.admin.post(`/users/${_id}/password-links`), 'noPasswordLink');
    const both = await service.account({ externalId: 'there and here' });
    expectOutcome(await post(service.admin, both), 201);
  });

  it('lets an Admin create a User without a password, who sets one', async () => {
    const body = newUserBody({ password: undefined });
    const { _id } = created(await service.admin.post('/users', body));
    const { token } = created<{ token: string }>(await service.admin.post(`/users/${_id}/password-links`));
    expectOutcome(await use({ password: PASSWORD }, user.with(token)), 201);
    await service.logIn({ ...body, password: PASSWORD });
  });

  it('takes no fields', async () => {
    expectFieldErrors(await post(service.admin, user, { password: PASSWORD }), ['unknownField', 'password']);
  });
});

describe('/links/current with a password link', () => {
  it('shows whose password it sets', async () => {
    const { body, headers } = await read();
    expect(body).toEqual({
      purpose: 'password',
      username: user.user.username,
      organizationName: null,
      expiresAt: expect.stringMatching(/Z$/),
    });
    expect(headers['cache-control']).toBe('no-store');
  });

  it('sets the password once, and ends all sessions', async () => {
    const { body } = await use();
    expect(body.data).toEqual({ purpose: 'password', username: user.user.username });
    expectError(await user.get('/users'), 'accountGone');
    expectError(await logIn(user.password), 'wrongLogin');
    expectOutcome(await logIn(PASSWORD), 201);
    expect(await links()).toEqual([]);
    for (const response of [await read(), await use()]) expectError(response, 'linkNotFound');
  });

  it('leaves an Event of the User, who is the actor', async () => {
    await use();
    const { data } = (await service.admin.get(`/events?resourceId=${user.id}&limit=1`)).body;
    const { type, actorId, changes } = data[0];
    expect({ type, actorId, changes }).toEqual({
      type: 'user.updated',
      actorId: user.id,
      changes: [{ field: 'password' }],
    });
  });

  it.each<[string, object, ...Parameters<typeof expectFieldErrors>[1][]]>([
    ['no password', {}, ['missing', 'password']],
    ['a short password', { password: 'short' }, ['tooShort', 'password']],
    [
      'names too',
      { password: PASSWORD, username: 'ada', companyName: 'Nets' },
      ['unknownField', 'username'],
      ['unknownField', 'companyName'],
    ],
  ])('refuses a body with %s, and can be used again', async (_title, body, ...errors) => {
    expectFieldErrors(await use(body), ...errors);
    expectOutcome(await use(), 201);
  });

  it('refuses the names of the User as the password', async () => {
    for (const password of [user.user.email.toUpperCase(), user.user.companyName])
      expectFieldErrors(await use({ password }), ['tooCommon', 'password']);
  });

  it('accepts no other token, and no other operation accepts its token', async () => {
    const { program } = await withKey(user);
    for (const client of [user, program, user.with(`roster_link_${'x'.repeat(43)}`)])
      expectError(await read(client), 'linkNotFound');
    const message = 'Send the token of a link (`roster_link_…`): Authorization: Bearer TOKEN.';
    expectError(await service.nobody.get('/links/current'), 'noCredentials', message);
    for (const path of ['/users', '/users/me', '/sessions']) expectError(await holder.get(path), 'tokenUnusable');
  });
});

describe('A password link ends', () => {
  const password = 'another long passphrase';

  it.each<[string, () => Promise<unknown>]>([
    ['a new link', () => post(service.admin)],
    ['another password, set by the User', () => putUser({ password, currentPassword: user.password }, user)],
    ['another password, set by an Admin', () => putUser({ password })],
    [
      'a suspension, also when that has ended',
      async () => [await putUser({ isSuspended: true }), await putUser({ isSuspended: false })],
    ],
    ['the deletion of the User', () => service.admin.delete(`/users/${user.id}`)],
    ['its end', () => expire()],
  ])('with %s', async (_title, end) => {
    await end();
    for (const response of [await read(), await use()]) expectError(response, 'linkNotFound');
  });

  it('with no other change of the User', async () => {
    await putUser({ companyName: 'Others' });
    expectOutcome(await use(), 201);
  });

  const expire = () => service.model('Link').updateMany({ userId: user.id }, { expiresAt: new Date(Date.now() - 1) });

  it('and is deleted by the hourly sweep', async () => {
    await expire();
    const other = await withPasswordLink(service, await service.account());
    await service.app.get(HourlySweeps).sweep();
    expect(await links()).toEqual([]);
    expectOutcome(await read(other), 200);
  });
});

describe('A password link whose creator could not create it any more', () => {
  let maker: Client;
  beforeEach(async () => {
    maker = await service.account({ roles: ['admin'] });
    holder = user.with(created<{ token: string }>(await post(maker)).token);
  });
  const putMaker = (changes: object): Promise<ApiResponse> =>
    service.admin.put(`/users/${maker.id}`, maker.userBody(changes));

  it.each<[string, () => Promise<ApiResponse>]>([
    ['is suspended', () => putMaker({ isSuspended: true })],
    ['is no Admin', () => putMaker({ roles: [] })],
    ['is deleted', () => service.admin.delete(`/users/${maker.id}`)],
  ])('is refused once its creator %s', async (_title, change) => {
    expectOutcome(await read(), 200);
    expect((await change()).status).toBeLessThan(300);
    for (const response of [await read(), await use()]) expectError(response, 'linkNotFound');
    expect((await service.stored<User>('User', user.id))?.revision).toBe(0);
  });
});

describe.each(MOMENTS)('A password link that is being used (%s)', (moment) => {
  const during = (event: () => Promise<unknown>): Promise<ApiResponse> => meanwhile(service, moment, event, use);

  it.each<[string, () => Promise<unknown>]>([
    ['was used by somebody else', () => use({ password: 'the passphrase of somebody else' })],
    ['was replaced', () => post(service.admin)],
    ['ended with a suspension', () => putUser({ isSuspended: true })],
  ])('is not found when it %s', async (_title, event) => {
    expectError(await during(event), 'linkNotFound');
    expectError(await logIn(PASSWORD), 'wrongLogin');
  });
});
