import * as argon2 from '@node-rs/argon2';
import { decode } from 'jsonwebtoken';
import { Session } from '../../../src/registry/users/session.schema';
import { User } from '../../../src/registry/users/user.schema';
import { ApiResponse, Client } from '../../support/client';
import { expectError, expectFieldErrors } from '../../support/expect-error';
import { useService } from '../../support/service';

// Its functions can be spied on in a copy only.
jest.mock('@node-rs/argon2', () => ({ __esModule: true, ...jest.requireActual<typeof argon2>('@node-rs/argon2') }));

const DAY_MS = 24 * 3600 * 1000;
const CURRENT = '$argon2id$v=19$m=19456,t=2,p=1$';

const service = useService();
let account: Client;
beforeEach(async () => {
  account = await service.account();
});
afterEach(() => jest.restoreAllMocks());

const login = (fields: object = {}, headers?: Record<string, string>): Promise<ApiResponse> => {
  const body = 'email' in fields ? fields : { username: account.user.username, ...fields };
  return service.nobody.post('/sessions', { password: account.password, ...body }, headers);
};
const stored = (): Promise<User | null> => service.stored<User>('User', account.id);
const sessions = async (): Promise<Session[]> => (await stored())?.sessions ?? [];

describe('POST /sessions', () => {
  it('returns a session with its tokens and the User, and stores only hashes of the tokens', async () => {
    const before = await stored();
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
    const after = await stored();
    for (const token of [accessToken, refreshToken]) expect(JSON.stringify(after)).not.toContain(token);
    const changing = { sessions: [], knownAddresses: [] };
    expect({ ...after, ...changing }).toEqual({ ...before, ...changing });
    expect(after?.sessions.map((session) => String(session._id))).toEqual([account.session._id, _id]);
  });

  it.each([
    ['the username in another case', () => ({ username: ` ${account.user.username.toUpperCase()}` })],
    ['the e-mail address', () => ({ email: account.user.email })],
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
    const before = await stored();
    await login();
    expect((await stored())?.passwordHash).toBe(before?.passwordHash);
    const passwordHash = await argon2.hash(account.password, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    await service.model<User>('User').updateOne({ _id: account.id }, { $set: { passwordHash } });
    await login();
    const after = await stored();
    expect(after).toMatchObject({ passwordHash: expect.stringContaining(CURRENT), revision: 0 });
    expect(after?.sessions).toHaveLength(3);
    expect((await login()).status).toBe(201);
  });
});
