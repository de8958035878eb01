import { decode } from 'jsonwebtoken';
import { RateLimits } from '../../src/limits/rate-limits';
import { Session } from '../../src/users/session.schema';
import { User } from '../../src/users/user.schema';
import { ApiResponse, Client } from '../support/client';
import { expectFailure, expectFaults } from '../support/expect-error';
import { Service, startService } from '../support/service';

const DAY_MS = 24 * 3600 * 1000;

let service: Service;
let account: Client;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await service.account();
});

const login = (fields: object, headers?: Record<string, string>): Promise<ApiResponse> =>
  service.nobody.post('/sessions', { password: account.password, ...fields }, headers);
const sessions = async (): Promise<Session[]> =>
  (await service.model<User>('User').findById(account.id).lean())?.sessions ?? [];

describe('POST /sessions', () => {
  it('gives a session with its tokens and the User', async () => {
    const answer = await login({ username: account.user.username }, { 'user-agent': 'tests/1' });
    const { accessToken, refreshToken, _id, createdAt, expiresAt, ...rest } = answer.body.data;
    expect(answer).toMatchObject({
      status: 201,
      headers: { location: `/sessions/${_id}`, 'cache-control': 'no-store' },
    });
    expect(answer.headers.etag).toBeUndefined();
    const fixed = { lastUsedAt: createdAt, userAgent: 'tests/1', tokenType: 'Bearer', expiresIn: 900 };
    expect(rest).toEqual({ ...fixed, user: account.user });
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(30 * DAY_MS);
    expect(refreshToken).toMatch(/^[\w-]{40,}$/);
    const claims = decode(accessToken as string, { json: true });
    expect(claims).toMatchObject({ sub: account.id, sid: _id, exp: (claims?.iat ?? 0) + 900 });
    const listed = await service.nobody.get('/sessions', { authorization: `Bearer ${accessToken}` });
    expect(listed.status).toBe(200);
  });

  it('stores hashes of the tokens only, and leaves the User’s revision', async () => {
    const answer = await login({ username: account.user.username });
    const text = JSON.stringify(await service.model<User>('User').findById(account.id).lean());
    expect(text).not.toContain(answer.body.data.refreshToken);
    expect(text).not.toContain(answer.body.data.accessToken);
    const stored = await service.model<User>('User').findById(account.id).lean();
    expect(stored).toMatchObject({ revision: 0, updatedAt: new Date(account.user.updatedAt) });
    expect((await sessions()).map(({ _id }) => String(_id))).toEqual([account.session._id, answer.body.data._id]);
  });

  it.each([
    ['the username', () => ({ username: account.user.username })],
    ['the username in other case', () => ({ username: ` ${account.user.username.toUpperCase()}` })],
    ['the e-mail address', () => ({ email: account.user.email })],
    ['the e-mail address in other case', () => ({ email: account.user.email.toUpperCase() })],
    ['the e-mail address beside a null', () => ({ email: account.user.email, username: null })],
  ])('takes %s', async (_, fields) => expect((await login(fields())).status).toBe(201));

  it.each([
    ['a wrong password', () => ({ username: account.user.username, password: 'not the password' })],
    ['the password with a space', () => ({ username: account.user.username, password: `${account.password} ` })],
    ['a username that is nobody’s', () => ({ username: 'nobody-here' })],
    ['an e-mail address that is nobody’s', () => ({ email: 'nobody@roster.example' })],
    ['an e-mail address as username', () => ({ username: account.user.email })],
    ['the username in characters of another width', () => ({ username: account.user.username.replace('u', 'ｕ') })],
    ['the e-mail address in characters of another width', () => ({ email: account.user.email.replace('u', 'ｕ') })],
    ['the hash', () => ({ username: account.user.username, password: '$argon2id$v=19$m=19456,t=2,p=1$' })],
  ])('refuses %s with the same bytes', async (_, fields) => {
    const answer = await login(fields());
    expectFailure(answer, 'wrongLogin');
    const { 'x-request-id': __, date: ___, ...headers } = answer.headers;
    const other = await login({ username: 'somebody-else', password: 'whatever it is' });
    expect(other.text).toBe(answer.text);
    expect(other.headers).toMatchObject(headers);
    expect(await sessions()).toHaveLength(1);
  });

  it('compares a password even where there is no such User', async () => {
    const timed = async (fields: object): Promise<number> => {
      const start = performance.now();
      await login(fields);
      return performance.now() - start;
    };
    const [known, unknown]: number[][] = [[], []];
    for (let round = 0; round < 5; round += 1) {
      known?.push(await timed({ username: account.user.username, password: 'not the password' }));
      unknown?.push(await timed({ username: 'nobody-here', password: 'not the password' }));
    }
    // The hash takes tens of milliseconds and everything else two or three.
    expect(Math.min(...(unknown ?? []))).toBeGreaterThan(Math.min(...(known ?? [])) / 3);
  });

  it.each([
    ['missing', 'username', {}],
    ['missing', 'username', { username: null, email: '' }],
    ['unknownField', 'email', { username: 'a', email: 'b' }],
    ['missing', 'password', { username: 'a', password: null }],
    ['blank', 'password', { username: 'a', password: '' }],
    ['wrongType', 'password', { username: 'a', password: { $gt: '' } }],
    ['wrongType', 'username', { username: { $gt: '' } }],
    ['tooLong', 'password', { username: 'a', password: 'x'.repeat(129) }],
    ['unknownField', '$where', { username: 'a', $where: '1' }],
  ] as const)('%s: %s', async (fault, title, fields) => expectFaults(await login(fields), [fault, title]));

  it.each(['Bearer nonsense', 'Basic eDp5', 'x'])('ignores Authorization: %s', async (authorization) => {
    expect((await login({ username: account.user.username }, { authorization })).status).toBe(201);
  });

  it('keeps what the client calls itself, cut', async () => {
    const agents = { 'user-agent': 'tests '.repeat(50) };
    expect((await login({ username: account.user.username }, agents)).body.data.userAgent).toBe(
      'tests '.repeat(50).slice(0, 255),
    );
  });

  it('knows no name of a client whose User-Agent is empty', async () => {
    const answer = await login({ username: account.user.username }, { 'user-agent': '' });
    expect(answer.body.data.userAgent).toBeNull();
    expect((await sessions()).at(-1)?.userAgent).toBeNull();
  });

  it('keeps 50 sessions, of which the least recently refreshed leaves', async () => {
    const users = service.model<User>('User');
    const stored = await users.findById(account.id).lean();
    const own = stored?.sessions[0] as Session;
    const made = Array.from({ length: 49 }, (_, index) => ({
      ...own,
      _id: service.connection.base.Types.ObjectId.createFromTime(1_000_000 + index),
      tokenHash: `hash ${index}`,
      lastUsedAt: new Date(own.lastUsedAt.getTime() - 1000 * (index + 1)),
    }));
    await users.updateOne({ _id: account.id }, { $set: { sessions: [own, ...made] } });
    const answer = await login({ username: account.user.username });
    const left = (await sessions()).map(({ _id }) => String(_id));
    expect(left).toHaveLength(50);
    expect(left).toEqual(expect.arrayContaining([account.session._id, answer.body.data._id]));
    expect(left).not.toContain(String(made.at(-1)?._id));
  });
});

describe('what a login counts and hashes', () => {
  it('is counted by the name that it gives', async () => {
    const attempt = jest.spyOn(service.app.get(RateLimits), 'loginAttempt');
    const { username, email } = account.user;
    for (const fields of [{ username }, { email }]) await login(fields);
    expect(attempt.mock.calls.map(([name]) => name)).toEqual([username, email]);
    attempt.mockRestore();
  });

  it('is not hashed anew where the parameters are those of today', async () => {
    const hashOf = async () => (await service.model<User>('User').findById(account.id).lean())?.passwordHash;
    const before = await hashOf();
    await login({ username: account.user.username });
    expect(await hashOf()).toBe(before);
  });
});

describe('a password hashed with older parameters', () => {
  it('is hashed anew by a login, and changes nothing else', async () => {
    const { hash } = await import('@node-rs/argon2');
    const passwordHash = await hash(account.password, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    await service.model<User>('User').updateOne({ _id: account.id }, { $set: { passwordHash } });
    await login({ username: account.user.username });
    const stored = await service.model<User>('User').findById(account.id).lean();
    expect(stored).toMatchObject({ passwordHash: expect.stringContaining('$m=19456,t=2,p=1$'), revision: 0 });
    expect(stored?.sessions).toHaveLength(2);
    expect((await login({ username: account.user.username })).status).toBe(201);
  });
});
