import * as argon2 from '@node-rs/argon2';
import { decode } from 'jsonwebtoken';
import { Types } from 'mongoose';
import { AccessTokens } from '../../../src/platform/http/access/access-tokens';
import { Session } from '../../../src/registry/users/session.schema';
import { User } from '../../../src/registry/users/user.schema';
import { ApiResponse, Client } from '../../support/client';
import { type Expected, expectError, expectFieldErrors, expectOutcome } from '../../support/expect-error';
import { meanwhile, MOMENTS } from '../../support/meanwhile';
import { idsOf, NOTHING } from '../../support/records';
import { startService, useService } from '../../support/service';

// Its functions can be spied on in a copy only.
jest.mock('@node-rs/argon2', () => ({ __esModule: true, ...jest.requireActual<typeof argon2>('@node-rs/argon2') }));

const DAY_MS = 24 * 3600 * 1000;
const CURRENT = '$argon2id$v=19$m=19456,t=2,p=1$';

const service = useService();
let account: Client;
beforeEach(async () => {
  account = await service.registered();
});
afterEach(() => jest.restoreAllMocks());

const again = (): Promise<Client> => service.logIn({ username: account.user.username, password: account.password });
const refresh = (refreshToken: unknown): Promise<ApiResponse> => service.nobody.post('/tokens', { refreshToken });
const storedUser = (): Promise<User | null> => service.stored<User>('User', account.id);
const sessions = async (): Promise<Session[]> => (await storedUser())?.sessions ?? [];
const stored = async (): Promise<Session | undefined> => (await sessions())[0];
const login = (fields: object = {}, headers?: Record<string, string>): Promise<ApiResponse> => {
  const body = 'email' in fields ? fields : { username: account.user.username, ...fields };
  return service.nobody.post('/sessions', { password: account.password, ...body }, headers);
};
/** Lets time pass for the session: moves what is stored of it into the past. */
const age = async (milliseconds: number): Promise<void> => {
  const { createdAt, lastUsedAt, expiresAt, usedTokens } = (await stored()) as Session;
  const moved = (date: Date): Date => new Date(date.getTime() - milliseconds);
  const set = {
    'sessions.0.createdAt': moved(createdAt),
    'sessions.0.lastUsedAt': moved(lastUsedAt),
    'sessions.0.expiresAt': moved(expiresAt),
    'sessions.0.usedTokens': usedTokens.map(({ hash, usedAt }) => ({ hash, usedAt: moved(usedAt) })),
  };
  await service.model<User>('User').updateOne({ _id: account.id }, { $set: set });
};
const pathOf = ({ session }: Client): string => `/sessions/${session._id}`;
const expire = async ({ session }: Client): Promise<void> => {
  const change = { $set: { 'sessions.$.expiresAt': new Date(0) } };
  const own = { 'sessions._id': new Types.ObjectId(session._id) };
  expect((await service.model<User>('User').updateOne(own, change)).modifiedCount).toBe(1);
};

/** Stores the same password, hashed with parameters of earlier years. */
const outdate = async (): Promise<void> => {
  const passwordHash = await argon2.hash(account.password, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
  await service.model<User>('User').updateOne({ _id: account.id }, { $set: { passwordHash } });
};

describe('POST /sessions', () => {
  it('returns a session with its tokens and the User, and stores only hashes of the tokens', async () => {
    const before = await storedUser();
    const response = await login({}, { 'user-agent': 'tests/1' });
    const { accessToken, refreshToken, _id, createdAt, expiresAt, ...rest } = response.body.data;
    expect(response).toMatchObject({ status: 201, headers: { location: `/sessions/${_id}` } });
    expect(response.headers.etag).toBeUndefined();
    const fixed = { lastUsedAt: createdAt, userAgent: 'tests/1', tokenType: 'Bearer', expiresIn: 900 };
    expect(rest).toEqual({ ...fixed, user: account.user });
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(30 * DAY_MS);
    expect(refreshToken).toMatch(/^[\w-]{40,}$/);
    expect(decode(accessToken)).toMatchObject({ sub: account.id, sid: _id });
    const listed = await service.nobody.get('/sessions', { authorization: `Bearer ${accessToken}` });
    expect(listed.status).toBe(200);
    const after = await storedUser();
    for (const token of [accessToken, refreshToken]) expect(JSON.stringify(after)).not.toContain(token);
    const changing = { sessions: [], knownAddresses: [] };
    expect({ ...after, ...changing }).toEqual({ ...before, ...changing });
    expect(after?.sessions.map((session) => String(session._id))).toEqual([account.session._id, _id]);
  });

  it.each([
    ['the username in another case', () => ({ username: ` ${account.user.username.toUpperCase()}` })],
    ['the e-mail address in another case', () => ({ email: account.user.email.toUpperCase() })],
    ['the e-mail address next to a null', () => ({ email: account.user.email, username: null })],
  ])('takes %s', async (_, fields) => expect((await login(fields())).status).toBe(201));

  it.each([
    ['a wrong password', () => ({ password: 'not the password' })],
    ['the password with a space', () => ({ password: `${account.password} ` })],
    ['an unknown username', () => ({ username: 'nobody-here' })],
    ['an unknown e-mail address', () => ({ email: 'nobody@roster.example' })],
    ['an e-mail address as the username', () => ({ username: account.user.email })],
    ['the username in full-width characters', () => ({ username: account.user.username.replace('u', 'ｕ') })],
    ['the e-mail address in full-width characters', () => ({ email: account.user.email.replace('u', 'ｕ') })],
    ['the start of a hash', () => ({ password: CURRENT })],
  ])('refuses %s with the same bytes and after the same work', async (_, fields) => {
    const [verify, hash] = [jest.spyOn(argon2, 'verify'), jest.spyOn(argon2, 'hash')];
    const response = await login(fields());
    expectError(response, 'wrongLogin');
    expect(verify).toHaveBeenCalledTimes(1);
    expect(verify.mock.calls[0]?.[0]).toEqual(expect.stringContaining(CURRENT));
    expect(hash).not.toHaveBeenCalled();
    const { 'x-request-id': __, date: ___, ...headers } = response.headers;
    const other = await login({ username: 'somebody-else', password: 'whatever it is' });
    expect(other.text).toBe(response.text);
    expect(other.headers).toMatchObject(headers);
    expect(await sessions()).toHaveLength(1);
  });

  it('refuses content that is not valid, and hashes nothing for it', async () => {
    const [verify, hash] = [jest.spyOn(argon2, 'verify'), jest.spyOn(argon2, 'hash')];
    expectFieldErrors(await login({ password: '' }), ['blank', 'password']);
    expectFieldErrors(await login({ username: { $gt: '' } }), ['wrongType', 'username']);
    expectFieldErrors(await login({ password: 'x'.repeat(129) }), ['tooLong', 'password']);
    expect((await service.admin.post('/users', { username: 'x', password: 'a long passphrase' })).status).toBe(400);
    expect([verify, hash].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  });

  it.each([
    ['tests '.repeat(50), 'tests '.repeat(50).slice(0, 255)],
    ['', null],
  ])('keeps what the client calls itself, cut: %.20j', async (agent, userAgent) => {
    expect((await login({}, { 'user-agent': agent })).body.data.userAgent).toBe(userAgent);
    expect((await sessions()).at(-1)?.userAgent).toBe(userAgent);
  });

  it('keeps 50 sessions: the least recently refreshed one is removed', async () => {
    const [own] = (await sessions()) as [Session];
    const made = Array.from({ length: 49 }, (_, index) => ({
      ...own,
      _id: service.connection.base.Types.ObjectId.createFromTime(1_000_000 + index),
      tokenHash: `hash ${index}`,
      lastUsedAt: new Date(own.lastUsedAt.getTime() - 1000 * (index + 1)),
    }));
    await service.model<User>('User').updateOne({ _id: account.id }, { $set: { sessions: [own, ...made] } });
    const { data } = (await login()).body;
    const left = (await sessions()).map(({ _id }) => String(_id));
    expect(left).toHaveLength(50);
    expect(left).toEqual(expect.arrayContaining([account.session._id, data._id]));
    expect(left).not.toContain(String(made.at(-1)?._id));
  });

  it('hashes the password anew when the parameters are outdated, and changes nothing else', async () => {
    const before = await storedUser();
    await login();
    expect((await storedUser())?.passwordHash).toBe(before?.passwordHash);
    await outdate();
    await login();
    const after = await storedUser();
    expect(after).toMatchObject({ passwordHash: expect.stringContaining(CURRENT), revision: 0 });
    expect(after?.sessions).toHaveLength(3);
    expect((await login()).status).toBe(201);
  });
});

describe('GET /sessions and /sessions/:id', () => {
  it('shows your own live sessions by _id, without tokens, in any order of refreshing', async () => {
    const [second, third] = [await again(), await again()];
    await refresh(second.refreshToken);
    await expire(third);
    const response = await account.get('/sessions');
    expect(idsOf(response)).toEqual([account.session._id, second.session._id]);
    expect(response.body.data[0]).toEqual(account.session);
    expect(idsOf(await service.admin.get('/sessions'))).toEqual([service.admin.session._id]);
    for (const client of [account, service.admin])
      expect((await client.get(pathOf(account))).body).toEqual(account.session);
    expectError(await account.get(pathOf(third)), 'sessionNotFound');
  });
});

describe('DELETE /sessions/:id', () => {
  it.each([
    ['its User', (): Client => account],
    ['an Admin', (): Client => service.admin],
  ])('by %s ends the session: its tokens stop working, others go on', async (_, caller) => {
    const other = await again();
    expect((await caller().delete(pathOf(account), { 'if-match': '"x"' })).status).toBe(204);
    expectError(await account.get('/sessions'), 'accountGone');
    expectError(await refresh(account.refreshToken), 'refreshTokenUnusable');
    expectError(await other.delete(pathOf(account)), 'sessionNotFound');
    expect(idsOf(await other.get('/sessions'))).toEqual([other.session._id]);
    expect(await storedUser()).toMatchObject({
      revision: 0,
      sessions: [{ _id: new Types.ObjectId(other.session._id) }],
    });
  });
});

describe('an access token', () => {
  const send = (userId: string, sessionId: string): Promise<ApiResponse> => {
    const tokens = service.app.get(AccessTokens);
    const { accessToken } = tokens.issue(new Types.ObjectId(userId), new Types.ObjectId(sessionId));
    return service.nobody.get('/sessions', { authorization: `Bearer ${accessToken}` });
  };

  it('belongs to no account unless the session is one of its User', async () => {
    const own = account.session._id;
    expect((await send(account.id, own)).status).toBe(200);
    for (const [userId, sessionId] of [
      [service.admin.id, own],
      [account.id, NOTHING],
      [NOTHING, own],
    ] as const)
      expectError(await send(userId, sessionId), 'accountGone');
  });

  it('belongs to no account once the session has expired', async () => {
    await expire(account);
    expectError(await account.get('/sessions'), 'accountGone');
  });
});

describe('POST /tokens', () => {
  it('gives a fresh access token and the next refresh token', async () => {
    await age(60_000);
    const before = await stored();
    const answer = await refresh(account.refreshToken);
    const { accessToken, refreshToken, ...rest } = answer.body.data;
    expect([answer.status, answer.headers.etag, answer.headers.location]).toEqual([201, undefined, undefined]);
    expect(rest).toEqual({ tokenType: 'Bearer', expiresIn: 900 });
    expect(refreshToken).not.toBe(account.refreshToken);
    const mine = await service.nobody.get('/sessions', { authorization: `Bearer ${accessToken}` });
    expect(mine.body.data[0]._id).toBe(account.session._id);
    const after = await stored();
    expect(after?.usedTokens).toEqual([{ hash: before?.tokenHash, usedAt: after?.lastUsedAt }]);
    expect(after?.createdAt).toEqual(before?.createdAt);
    expect(after?.lastUsedAt).not.toEqual(before?.lastUsedAt);
    expect((after?.expiresAt.getTime() ?? 0) - (after?.lastUsedAt.getTime() ?? 0)).toBe(30 * DAY_MS);
  });

  it('leaves older access tokens valid, and does not change the User’s revision', async () => {
    await refresh(account.refreshToken);
    expect((await account.get('/sessions')).status).toBe(200);
    expect(await storedUser()).toMatchObject({ revision: 0, updatedAt: new Date(account.user.updatedAt) });
  });

  /** Refreshes so often, one token after the other, and gives them all, the first one first. */
  const walk = async (rounds: number): Promise<string[]> => {
    const tokens = [account.refreshToken];
    while (tokens.length <= rounds) tokens.push((await refresh(tokens.at(-1))).body.data.refreshToken as string);
    return tokens;
  };

  it('returns the same successor within 10 s, even if that was used meanwhile', async () => {
    const tokens = await walk(3);
    const [first] = (await stored())!.usedTokens;
    jest.spyOn(Date, 'now').mockReturnValue(first!.usedAt.getTime() + 10_000);
    for (const [index, token] of tokens.slice(0, 3).entries())
      expect((await refresh(token)).body.data.refreshToken).toBe(tokens[index + 1]);
    expect((await stored())?.usedTokens).toHaveLength(3);
    expect((await refresh(tokens[3])).status).toBe(201);
  });

  it('ends the session of a token used again later, however often it was refreshed since, and no other', async () => {
    const other = await again();
    const tokens = await walk(2);
    await age(10_500);
    tokens.push((await refresh(tokens.at(-1))).body.data.refreshToken as string);
    expect((await stored())?.usedTokens).toHaveLength(1);
    expectError(await refresh(account.refreshToken), 'refreshTokenUnusable');
    expectError(await account.get('/sessions'), 'accountGone');
    expectError(await refresh(tokens.at(-1)), 'refreshTokenUnusable');
    expect((await other.get('/sessions')).body.data).toEqual([other.session]);
  });

  it('remembers the last 50 used tokens at most', async () => {
    await walk(60);
    expect((await stored())?.usedTokens).toHaveLength(50);
  });

  it('does not revive a session that has expired', async () => {
    await age(30 * DAY_MS);
    expectError(await refresh(account.refreshToken), 'refreshTokenUnusable');
  });

  it('lets a session live 90 days at most', async () => {
    await age(29 * DAY_MS);
    const second = await refresh(account.refreshToken);
    await age(29 * DAY_MS);
    const third = await refresh(second.body.data.refreshToken);
    await age(29 * DAY_MS);
    expect((await refresh(third.body.data.refreshToken)).status).toBe(201);
    const session = await stored();
    expect((session?.expiresAt.getTime() ?? 0) - (session?.createdAt.getTime() ?? 0)).toBe(90 * DAY_MS);
  });

  it.each(['x', 'a'.repeat(96), 'ä'.repeat(96), '=', `${'A'.repeat(95)}+`, 'an access token'])(
    'refuses %j',
    async (text) =>
      expectError(await refresh(text === 'an access token' ? account.token : text), 'refreshTokenUnusable'),
  );

  it('does not end a session for a forged token: the ids in it can be read in access tokens', async () => {
    const bytes = Buffer.from(account.refreshToken, 'base64url');
    for (const at of [24, bytes.length - 1]) {
      const tampered = Buffer.from(bytes);
      tampered[at]! ^= 1;
      expectError(await refresh(tampered.toString('base64url')), 'refreshTokenUnusable');
    }
    expect((await refresh(account.refreshToken)).status).toBe(201);
  });
});

describe('while another request changes the User', () => {
  const refreshOwn = (): Promise<ApiResponse> => refresh(account.refreshToken);
  const logout = (client = account): Promise<ApiResponse> => client.delete(pathOf(account));
  const put = (changes: object): Promise<ApiResponse> =>
    service.admin.put(`/users/${account.id}`, account.userBody(changes));
  const removeUser = (): Promise<ApiResponse> => service.admin.delete(`/users/${account.id}`);

  describe('POST /sessions, when after the password was verified', () => {
    it.each<[string, () => Promise<unknown>, Expected, number]>([
      ['an Admin sets another one: the old one is wrong', () => put({ password: 'another password' }), 'wrongLogin', 0],
      ['the User is deleted: the login is wrong', removeUser, 'wrongLogin', 0],
      ['the User is suspended: refused', () => put({ isSuspended: true }), 'suspended', 0],
      ['the User is renamed: the login holds', () => put({ username: `re-${account.user.username}` }), 201, 2],
    ])('%s', async (_title, event, expected, left) => {
      expectOutcome(await meanwhile(service, 'before the first write', event, () => login()), expected);
      expect(await sessions()).toHaveLength(left);
    });
  });

  describe.each(MOMENTS)('when %s', (moment) => {
    it('of a logout the session is ended: it is not found, and no other is ended', async () => {
      const other = await again();
      expectOutcome(await meanwhile(service, moment, () => logout(other), logout), 'sessionNotFound');
      expect((await sessions()).map(({ _id }) => String(_id))).toEqual([other.session._id]);
    });

    it('of a refresh the token is used: both get the same successor', async () => {
      let first: ApiResponse | undefined;
      const second = await meanwhile(service, moment, async () => (first = await refreshOwn()), refreshOwn);
      expect([first?.status, second.status]).toEqual([201, 201]);
      expect(second.body.data.refreshToken).toBe(first?.body.data.refreshToken);
    });

    it('of a refresh the session is ended: the token is unusable, and ends no other session', async () => {
      const other = await again();
      expectOutcome(await meanwhile(service, moment, logout, refreshOwn), 'refreshTokenUnusable');
      expect((await sessions()).map(({ _id }) => String(_id))).toEqual([other.session._id]);
    });
  });
});

// The last one: Passport has one JWT strategy per process, the one of the instance that started last.
describe('POST /tokens while JWT_SECRET is rotated', () => {
  it('gives the same successor by every instance that has the key, in any order', async () => {
    const keys = ['the secret of an instance that is not restarted yet', 'the secret that all are about to have'];
    const { refreshToken } = await service.registered();
    const refreshAt = async (secrets: string[]): Promise<ApiResponse> => {
      const instance = await startService({ MONGODB_URI: service.databaseUri, JWT_SECRET: secrets.join() });
      const response = await instance.nobody.post('/tokens', { refreshToken });
      await instance.stop();
      return response;
    };
    const [first, second] = await Promise.all([keys, [...keys].reverse()].map(refreshAt));
    expect([first?.status, second?.status]).toEqual([201, 201]);
    expect(second?.body.data.refreshToken).toBe(first?.body.data.refreshToken);
    // Afterwards: the first instance to see a token makes its successor.
    expectError(await refreshAt(['x'.repeat(40)]), 'refreshTokenUnusable');
    const next = await service.nobody.post('/tokens', { refreshToken: first?.body.data.refreshToken });
    expect(next.status).toBe(201);
  });
});
