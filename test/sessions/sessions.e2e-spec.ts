import { Types } from 'mongoose';
import { User } from '../../src/users/user.schema';
import { Client } from '../support/client';
import { expectFailure } from '../support/expect-error';
import { idsOf, linkOf } from '../support/records';
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
    expect(response.headers['cache-control']).toBe('no-store');
    expect(idsOf(await service.admin.get('/sessions'))).toEqual([service.admin.session._id]);
  });

  it('comes in pages by after and by skip', async () => {
    const ids = [account, await again(), await again()].map(({ session }) => session._id);
    const first = await account.get('/sessions?limit=2', { prefer: 'count=exact' });
    expect({ ids: idsOf(first), total: first.headers['x-total-count'] }).toEqual({ ids: ids.slice(0, 2), total: '3' });
    expect(linkOf(first, 'next')).toBe(`/sessions?limit=2&after=${ids[1]}`);
    const second = await account.get(linkOf(first, 'next') ?? '');
    expect({ ids: idsOf(second), link: second.headers.link }).toEqual({ ids: ids.slice(2), link: undefined });
    expect(linkOf(await account.get('/sessions?skip=2&limit=2'), 'prev')).toBe('/sessions?limit=2&skip=0');
    expect(linkOf(await account.get('/sessions?skip=1&limit=2'), 'next')).toBeUndefined();
  });
});

describe('GET /sessions/:id', () => {
  it('shows the session to its User and to Admins, without an ETag', async () => {
    for (const client of [account, await again(), service.admin]) {
      const response = await client.get(pathOf(account));
      expect(response).toMatchObject({ status: 200, body: account.session, headers: { 'cache-control': 'no-store' } });
      expect(response.headers.etag).toBeUndefined();
    }
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
