import { decode } from 'jsonwebtoken';
import { Types } from 'mongoose';
import { AccessTokens } from '../../../src/platform/http/access/access-tokens';
import { Session } from '../../../src/registry/users/session.schema';
import { User } from '../../../src/registry/users/user.schema';
import { ApiResponse, Client } from '../../support/client';
import { expectError, expectFieldErrors } from '../../support/expect-error';
import { idsOf, NOTHING } from '../../support/records';
import { startService, useService } from '../../support/service';

const DAY_MS = 24 * 3600 * 1000;

const service = useService();
let account: Client;
beforeEach(async () => {
  account = await service.registered();
});
afterEach(() => jest.restoreAllMocks());

const again = (): Promise<Client> => service.logIn({ username: account.user.username, password: account.password });
const refresh = (refreshToken: unknown): Promise<ApiResponse> => service.nobody.post('/tokens', { refreshToken });
const stored = async (): Promise<Session | undefined> => (await service.stored<User>('User', account.id))?.sessions[0];
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

describe('GET /sessions', () => {
  it('shows your own live sessions by _id, without tokens, whichever was refreshed last', async () => {
    const [second, third] = [await again(), await again()];
    await refresh(second.refreshToken);
    await expire(third);
    const response = await account.get('/sessions');
    expect(idsOf(response)).toEqual([account.session._id, second.session._id]);
    expect(response.body.data[0]).toEqual(account.session);
    expect(idsOf(await service.admin.get('/sessions'))).toEqual([service.admin.session._id]);
  });
});

describe('GET /sessions/:id', () => {
  it('shows the session to its User and to Admins', async () => {
    for (const client of [account, await again(), service.admin])
      expect((await client.get(pathOf(account))).body).toEqual(account.session);
  });

  it('does not find one that has expired', async () => {
    const other = await again();
    await expire(other);
    expectError(await account.get(pathOf(other)), 'sessionNotFound');
  });
});

describe('DELETE /sessions/:id', () => {
  it.each([
    ['its User', (): Client => account],
    ['an Admin', (): Client => service.admin],
  ])('by %s ends the session: its tokens stop working at once, others go on', async (_, caller) => {
    const other = await again();
    expect((await caller().delete(pathOf(account), { 'if-match': '"x"' })).status).toBe(204);
    expectError(await account.get('/sessions'), 'accountGone');
    expectError(await refresh(account.refreshToken), 'refreshTokenUnusable');
    expectError(await other.delete(pathOf(account)), 'sessionNotFound');
    expect(idsOf(await other.get('/sessions'))).toEqual([other.session._id]);
    const stored = await service.stored<User>('User', account.id);
    expect(stored).toMatchObject({ revision: 0, sessions: [{ _id: new Types.ObjectId(other.session._id) }] });
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

  it('leaves older access tokens valid, and the User’s revision as it is', async () => {
    await refresh(account.refreshToken);
    expect((await account.get('/sessions')).status).toBe(200);
    const user = await service.stored<User>('User', account.id);
    expect(user).toMatchObject({ revision: 0, updatedAt: new Date(account.user.updatedAt) });
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

  it('concerns the session of the token only', async () => {
    const other = await again();
    await age(30 * DAY_MS);
    const first = await refresh(other.refreshToken);
    const second = await refresh(other.refreshToken);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.data.refreshToken).toBe(first.body.data.refreshToken);
    expect(decode(first.body.data.accessToken as string)).toMatchObject({ sid: other.session._id });
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

  it('takes at most 4,096 characters', async () => {
    expectError(await refresh('x'.repeat(4096)), 'refreshTokenUnusable');
    expectFieldErrors(await refresh('x'.repeat(4097)), ['tooLong', 'refreshToken']);
  });
});

// The last one: Passport has one JWT strategy per process, the one of the instance that started last.
describe('POST /tokens while JWT_SECRET is rotated', () => {
  it('gives the same successor by every instance that has the key, in whichever order', async () => {
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
