import { hash } from '@node-rs/argon2';
import { SessionsService } from '../../src/sessions/sessions.service';
import { TokensService } from '../../src/sessions/tokens.service';
import { Session } from '../../src/users/session.schema';
import { User } from '../../src/users/user.schema';
import { UsersService } from '../../src/users/users.service';
import { ApiResponse, Client } from '../support/client';
import { expectFailure } from '../support/expect-error';
import { afterwards, meanwhile } from '../support/meanwhile';
import { Service, startService } from '../support/service';

const NEXT_PASSWORD = 'the next password of the tests';

let service: Service;
let users: UsersService;
let account: Client;
beforeAll(async () => {
  service = await startService();
  users = service.app.get(UsersService);
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await service.account();
});
afterEach(() => jest.restoreAllMocks());

const login = (): Promise<ApiResponse> =>
  service.nobody.post('/sessions', { username: account.user.username, password: account.password });
const refresh = (): Promise<ApiResponse> => service.nobody.post('/tokens', { refreshToken: account.refreshToken });
const stored = (): Promise<User | null> => service.model<User>('User').findById(account.id).lean();
const sessions = async (): Promise<Session[]> => (await stored())?.sessions ?? [];
const logout = (): Promise<ApiResponse> => account.delete(`/sessions/${account.session._id}`);
/** The same password, hashed with parameters of earlier years. */
const outdate = async (): Promise<void> => {
  const passwordHash = await hash(account.password, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
  await service.model<User>('User').updateOne({ _id: account.id }, { $set: { passwordHash } });
};

describe('POST /sessions, when after the User was read', () => {
  it('an Admin sets another password: the old one is wrong', async () => {
    const body = { ...account.user, password: NEXT_PASSWORD };
    afterwards(users, 'find', () => service.admin.put(`/users/${account.id}`, body));
    expectFailure(await login(), 'wrongLogin');
    expect(await sessions()).toEqual([]);
  });

  it('the User is deleted: the login is wrong', async () => {
    afterwards(users, 'find', () => service.admin.delete(`/users/${account.id}`));
    expectFailure(await login(), 'wrongLogin');
    expect(await stored()).toBeNull();
  });

  it('another login hashes the password anew: both are logged in', async () => {
    await outdate();
    afterwards(users, 'find', async () => expect((await login()).status).toBe(201));
    expect((await login()).status).toBe(201);
    expect(await sessions()).toHaveLength(3);
  });

  it('the hash changes every time: the login is given up, and is wrong', async () => {
    const find = users.find.bind(users);
    const spy = jest.spyOn(users, 'find').mockImplementation(async (name) => {
      const found = await find(name);
      await outdate();
      return found;
    });
    expectFailure(await login(), 'wrongLogin');
    expect(spy).toHaveBeenCalledTimes(5);
    expect(await sessions()).toHaveLength(1);
  });

  it('the User changes their name: the login holds', async () => {
    const body = { ...account.user, companyName: 'Another', username: `re-${account.user.username}` };
    afterwards(users, 'find', () => account.put(`/users/${account.id}`, body));
    expect((await login()).status).toBe(201);
    expect(await sessions()).toHaveLength(2);
  });
});

describe('sessions, when after the judgement', () => {
  it('the User is deleted: they have none', async () => {
    meanwhile(service.app.get(SessionsService), 'list', () => service.admin.delete(`/users/${account.id}`));
    expect((await account.get('/sessions')).body.data).toEqual([]);
  });

  it('the session is ended: it is not there to be ended', async () => {
    const other = await service.logIn({ username: account.user.username, password: account.password });
    meanwhile(service.app.get(SessionsService), 'remove', () => other.delete(`/sessions/${account.session._id}`));
    expectFailure(await logout(), 'sessionNotFound');
    expect((await sessions()).map(({ _id }) => String(_id))).toEqual([other.session._id]);
  });
});

describe('POST /tokens, when after the session was read', () => {
  /** What TokensService does between its first read and its answer. */
  interface Steps {
    rotate(): Promise<boolean>;
  }
  const steps = (): Steps => service.app.get<TokensService, Steps>(TokensService);

  it('the token is used: both get one successor', async () => {
    let first: ApiResponse | undefined;
    meanwhile(steps(), 'rotate', async () => (first = await refresh()));
    const second = await refresh();
    expect([first?.status, second.status]).toEqual([201, 201]);
    expect(second.body.data.refreshToken).toBe(first?.body.data.refreshToken);
  });

  it('the session is ended: the token is not usable, and ends no other', async () => {
    const other = await service.logIn({ username: account.user.username, password: account.password });
    meanwhile(steps(), 'rotate', logout);
    expectFailure(await refresh(), 'refreshTokenUnusable');
    expect((await sessions()).map(({ _id }) => String(_id))).toEqual([other.session._id]);
  });
});
