import { Types } from 'mongoose';
import { AccessTokens } from '../../src/auth/access-tokens';
import { User } from '../../src/users/user.schema';
import { ApiResponse, Client } from '../support/client';
import { expectFailure } from '../support/expect-error';
import { idsOf, NOTHING } from '../support/records';
import { Service, startService } from '../support/service';

let service: Service;
let account: Client;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await service.registered();
});

const again = (): Promise<Client> => service.logIn({ username: account.user.username, password: account.password });
const pathOf = ({ session }: Client): string => `/sessions/${session._id}`;
const expire = async ({ session }: Client): Promise<void> => {
  const change = { $set: { 'sessions.$.expiresAt': new Date(Date.now() - 1) } };
  const own = { 'sessions._id': new Types.ObjectId(session._id) };
  expect((await service.model<User>('User').updateOne(own, change)).modifiedCount).toBe(1);
};

describe('GET /sessions', () => {
  it('shows your own live sessions by _id, without tokens, whichever was refreshed last', async () => {
    const [second, third] = [await again(), await again()];
    await service.nobody.post('/tokens', { refreshToken: second.refreshToken });
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
    expectFailure(await account.get(pathOf(other)), 'sessionNotFound');
  });
});

describe('DELETE /sessions/:id', () => {
  it.each([
    ['its User', (): Client => account],
    ['an Admin', (): Client => service.admin],
  ])('by %s ends the session: its tokens stop working at once, others go on', async (_, caller) => {
    const other = await again();
    expect((await caller().delete(pathOf(account), { 'if-match': '"x"' })).status).toBe(204);
    expectFailure(await account.get('/sessions'), 'accountGone');
    expectFailure(await service.nobody.post('/tokens', { refreshToken: account.refreshToken }), 'refreshTokenUnusable');
    expectFailure(await other.delete(pathOf(account)), 'sessionNotFound');
    expect(idsOf(await other.get('/sessions'))).toEqual([other.session._id]);
    const stored = await service.stored<User>('User', account.id);
    expect(stored).toMatchObject({ revision: 0, sessions: [{ _id: new Types.ObjectId(other.session._id) }] });
  });
});

describe('an access token', () => {
  const issued = (userId: string, sessionId: string): string =>
    service.app.get(AccessTokens).issue(new Types.ObjectId(userId), new Types.ObjectId(sessionId)).accessToken;
  const send = (token: string): Promise<ApiResponse> =>
    service.nobody.get('/sessions', { authorization: `Bearer ${token}` });

  it('is accepted for a live session, and a refresh token is not', async () => {
    expect((await send(issued(account.id, account.session._id))).status).toBe(200);
    expectFailure(await send(account.refreshToken), 'tokenUnusable');
  });

  it.each([
    ['another User’s id', () => issued(service.admin.id, account.session._id)],
    ['an unknown session', () => issued(account.id, NOTHING)],
    ['an unknown User', () => issued(NOTHING, account.session._id)],
  ])('belongs to no account with %s', async (_, token) => expectFailure(await send(token()), 'accountGone'));

  it('belongs to no account once the session has expired', async () => {
    await expire(account);
    expectFailure(await account.get('/sessions'), 'accountGone');
  });
});
