import { hash } from '@node-rs/argon2';
import { Session } from '../../../src/registry/users/session.schema';
import { User } from '../../../src/registry/users/user.schema';
import { ApiResponse, Client } from '../../support/client';
import { Expected, expectOutcome } from '../../support/expect-error';
import { meanwhile, MOMENTS } from '../../support/meanwhile';
import { useService } from '../../support/service';

const service = useService();
let account: Client;
beforeEach(async () => {
  account = await service.registered();
});

const login = (): Promise<ApiResponse> =>
  service.nobody.post('/sessions', { username: account.user.username, password: account.password });
const refresh = (): Promise<ApiResponse> => service.nobody.post('/tokens', { refreshToken: account.refreshToken });
const logout = (client = account): Promise<ApiResponse> => client.delete(`/sessions/${account.session._id}`);
const put = (changes: object): Promise<ApiResponse> =>
  service.admin.put(`/users/${account.id}`, account.userBody(changes));
const removeUser = (): Promise<ApiResponse> => service.admin.delete(`/users/${account.id}`);
const sessions = async (): Promise<Session[]> => (await service.stored<User>('User', account.id))?.sessions ?? [];
/** Stores the same password, hashed with parameters of earlier years. */
const outdate = async (): Promise<void> => {
  const passwordHash = await hash(account.password, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
  await service.model<User>('User').updateOne({ _id: account.id }, { $set: { passwordHash } });
};

describe('POST /sessions, when after the password was verified', () => {
  it.each<[string, () => Promise<unknown>, Expected, number]>([
    ['an Admin sets another one: the old one is wrong', () => put({ password: 'another password' }), 'wrongLogin', 0],
    ['the User is deleted: the login is wrong', removeUser, 'wrongLogin', 0],
    ['the User is suspended: refused', () => put({ isSuspended: true }), 'suspended', 0],
    ['the User is renamed: the login holds', () => put({ username: `re-${account.user.username}` }), 201, 2],
  ])('%s', async (_title, event, expected, left) => {
    expectOutcome(await meanwhile(service, 'before the first write', event, login), expected);
    expect(await sessions()).toHaveLength(left);
  });

  it('another login hashes it anew: both are logged in', async () => {
    await outdate();
    expectOutcome(await meanwhile(service, 'before the first write', login, login), 201);
    expect(await sessions()).toHaveLength(3);
  });

  it('its hash changes every time: the login is wrong after the second comparison', async () => {
    let attempts = 0;
    const event = (): Promise<unknown> => ((attempts += 1), outdate());
    await outdate();
    expectOutcome(await meanwhile(service, 'before every write', event, login), 'wrongLogin');
    // Each attempt hashes the password anew and opens a session.
    expect(attempts).toBe(4);
    expect(await sessions()).toHaveLength(1);
  });
});

it('GET /sessions, when the User is deleted after the guards: there are none', async () => {
  const response = await meanwhile(service, 'after the guards', removeUser, () => account.get('/sessions'));
  expect(response.body.data).toEqual([]);
});

describe.each(MOMENTS)('when %s', (moment) => {
  it('of a logout the session is ended: it is not found, and no other is ended', async () => {
    const other = await service.logIn({ username: account.user.username, password: account.password });
    expectOutcome(await meanwhile(service, moment, () => logout(other), logout), 'sessionNotFound');
    expect((await sessions()).map(({ _id }) => String(_id))).toEqual([other.session._id]);
  });

  it('of a refresh the token is used: both get the same successor', async () => {
    let first: ApiResponse | undefined;
    const second = await meanwhile(service, moment, async () => (first = await refresh()), refresh);
    expect([first?.status, second.status]).toEqual([201, 201]);
    expect(second.body.data.refreshToken).toBe(first?.body.data.refreshToken);
  });

  it('of a refresh the session is ended: the token is unusable, and ends no other session', async () => {
    const other = await service.logIn({ username: account.user.username, password: account.password });
    expectOutcome(await meanwhile(service, moment, logout, refresh), 'refreshTokenUnusable');
    expect((await sessions()).map(({ _id }) => String(_id))).toEqual([other.session._id]);
  });
});
