import type { User } from '../../src/users/user.schema';
import type { ApiResponse, Client } from '../support/client';
import { PASSWORD, type Service } from '../support/service';
import { expectOneWinner, race, races, Round, short, twenty, useRaces } from './race';

let service: Service;
useRaces((started) => (service = started));
let numbers = 0;
let addresses = 0;

const sessionsOf = async ({ id }: Client): Promise<string[]> =>
  (await service.stored<User>('User', id))?.sessions.map(({ _id }) => String(_id)) ?? [];
/** Logs in from an address of its own: only a few passwords of one address wait to be compared. */
const logIn = ({ user }: Client, password = PASSWORD): Promise<ApiResponse> => {
  addresses += 1;
  const remoteAddress = `10.0.${Math.floor(addresses / 250)}.${addresses % 250}`;
  const payload = { username: user.username, password };
  return service.nobody.send({ method: 'POST', path: '/sessions', payload, remoteAddress });
};

it.each([
  ['username', () => ({ username: `Same-${(numbers += 1)}` }), '409 1502'],
  ['e-mail address', () => ({ email: `Same-${(numbers += 1)}@roster.example` }), '409 1503'],
])('of twenty new Users with one %s one is created', async (_, shared, loser) => {
  const same = shared();
  const responses = await twenty((number) => {
    const username = `new-${numbers}-${number}`;
    const email = `${username}@roster.example`;
    const body = { username, companyName: 'New', email, password: 'a long passphrase', ...same };
    return service.admin.post('/users', body);
  });
  expectOneWinner(responses, '201', loser);
});

it('a refresh token that is used many times at once has one successor', async () => {
  let { refreshToken } = await service.registered();
  for (let round = 0; round < 5; round += 1) {
    const responses = await twenty(() => service.nobody.post('/tokens', { refreshToken }));
    expect(new Set(responses.map(short))).toEqual(new Set(['201']));
    const successors = new Set(responses.map(({ body }) => body.data.refreshToken as string));
    expect(successors.size).toBe(1);
    [refreshToken] = [...successors] as [string];
  }
});

races(
  'a login with the old password leaves no session when the password changes',
  ['200 | 201', '200 | 401 1103'],
  async () => {
    const account = await service.account();
    const password = 'the next password of the tests';
    const change = account.userBody({ password, currentPassword: PASSWORD });
    return {
      racers: [() => account.put(`/users/${account.id}`, change), () => logIn(account)],
      check: async () => expect(await sessionsOf(account)).toEqual([account.session._id]),
    };
  },
);

races('a User who is deleted while logging in has no session', ['204 | 201', '204 | 401 1103'], async () => {
  const account = await service.account();
  return {
    racers: [() => service.admin.delete(`/users/${account.id}`), () => logIn(account)],
    check: async () => expect(await sessionsOf(account)).toEqual([]),
  };
});

it('sixty logins, thirty at once, leave fifty sessions', async () => {
  const account = await service.account();
  const logins = () => race(Array.from({ length: 30 }, () => () => logIn(account)));
  const responses = [...(await logins()), ...(await logins())];
  expect(new Set(responses.map(short))).toEqual(new Set(['201']));
  const kept = await sessionsOf(account);
  expect(kept).toHaveLength(50);
  expect(responses.map(({ body }) => body.data._id as string)).toEqual(expect.arrayContaining(kept));
});

describe('of two Admins one stays, when', () => {
  let admins: Client[];
  beforeAll(async () => {
    admins = [await service.account({ roles: ['admin'] })];
    await admins[0]!.delete(`/users/${service.admin.id}`);
  });

  /** Two Admins again, after a round in which one of them may have lost the role, or was suspended. */
  async function two(): Promise<[Client, Client]> {
    const stored = await service
      .model<User>('User')
      .find({ roles: 'admin', isSuspended: false })
      .schemaLevelProjections(false)
      .lean();
    const [first] = admins.filter(({ id }) => stored.some(({ _id }) => String(_id) === id)) as [Client];
    const next = await service.account();
    expect(stored).toHaveLength(1);
    expect((await setRoles(first, next, ['admin'])).status).toBe(200);
    admins = [first, next];
    return [first, next];
  }

  const setRoles = (admin: Client, user: Client, roles: string[]): Promise<ApiResponse> =>
    admin.put(`/users/${user.id}`, user.userBody({ roles }));
  const giveUp = (admin: Client): Promise<ApiResponse> => setRoles(admin, admin, []);
  const leave = (admin: Client): Promise<ApiResponse> => admin.delete(`/users/${admin.id}`);
  const take = (admin: Client, other: Client): Promise<ApiResponse> => setRoles(admin, other, []);
  const suspend = (admin: Client, other: Client): Promise<ApiResponse> =>
    admin.put(`/users/${other.id}`, other.userBody({ isSuspended: true }));
  const LAST = '409 1507';

  type Racer = (admin: Client, other: Client) => Promise<ApiResponse>;
  const ways: [title: string, outcomes: string[], racer: Racer, rival: Racer][] = [
    ['both give up the role', [`200 | ${LAST}`, `${LAST} | 200`], giveUp, giveUp],
    ['both delete themselves', [`204 | ${LAST}`, `${LAST} | 204`], leave, leave],
    ['one gives up the role and the other is deleted', [`200 | ${LAST}`, `${LAST} | 204`], giveUp, leave],
    [
      'each takes the role of the other',
      [`200 | ${LAST}`, `${LAST} | 200`, '200 | 403 1200', '403 1200 | 200'],
      take,
      take,
    ],
    [
      'each suspends the other',
      [`200 | ${LAST}`, `${LAST} | 200`, '200 | 401 1102', '401 1102 | 200'],
      suspend,
      suspend,
    ],
  ];
  for (const [title, outcomes, racer, rival] of ways) {
    const start = async (): Promise<Round> => {
      const [one, other] = await two();
      return { racers: [() => racer(one, other), () => rival(other, one)] };
    };
    races(title, outcomes, start, 1);
  }
});
