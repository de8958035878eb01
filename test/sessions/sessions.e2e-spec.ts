import { Types } from 'mongoose';
import { User } from '../../src/users/user.schema';
import { Client } from '../support/client';
import { expectFailure } from '../support/expect-error';
import { idsOf, linkOf, NO_IDS, NOTHING } from '../support/records';
import { Service, startService } from '../support/service';

let service: Service;
let account: Client;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await service.account();
});

const again = (): Promise<Client> => service.logIn({ username: account.user.username, password: account.password });
const expire = async (session: string): Promise<void> => {
  const change = { $set: { 'sessions.$.expiresAt': new Date(Date.now() - 1) } };
  const expired = await service.model<User>('User').updateOne({ 'sessions._id': new Types.ObjectId(session) }, change);
  expect(expired.modifiedCount).toBe(1);
};

describe('GET /sessions', () => {
  it('shows one’s own live sessions by _id, without tokens', async () => {
    const [second, third] = [await again(), await again()];
    await expire(second.session._id);
    const answer = await account.get('/sessions');
    expect(answer.body).toEqual({ status: 'success', data: [account.session, third.session] });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('shows an Admin their own ones, too', async () => {
    expect(idsOf(await service.admin.get('/sessions'))).toEqual([service.admin.session._id]);
  });

  it('stays in order, whichever was refreshed last', async () => {
    const second = await again();
    await service.nobody.post('/tokens', { refreshToken: account.refreshToken });
    const third = await again();
    const stored = await service.model<User>('User').findById(account.id).lean();
    expect(String(stored?.sessions[0]?._id)).toBe(second.session._id);
    const ids = [account, second, third].map(({ session }) => session._id);
    expect(idsOf(await account.get('/sessions'))).toEqual(ids);
  });

  it('has no next page where the last one is full', async () => {
    await again();
    expect((await account.get('/sessions?limit=2')).headers.link).toBeUndefined();
    expect(linkOf(await account.get('/sessions?limit=1'), 'next')).toBeDefined();
  });

  it('comes in pages', async () => {
    const ids = [account.session._id, (await again()).session._id, (await again()).session._id];
    const first = await account.get('/sessions?limit=2', { prefer: 'count=exact' });
    expect(idsOf(first)).toEqual(ids.slice(0, 2));
    expect(first.headers['x-total-count']).toBe('3');
    expect(linkOf(first, 'next')).toBe(`/sessions?limit=2&after=${ids[1]}`);
    const second = await account.get(linkOf(first, 'next') ?? '');
    expect(idsOf(second)).toEqual(ids.slice(2));
    expect(second.headers.link).toBeUndefined();
    const last = await account.get('/sessions?skip=2&limit=2');
    expect({ ids: idsOf(last), prev: linkOf(last, 'prev') }).toEqual({
      ids: ids.slice(2),
      prev: '/sessions?limit=2&skip=0',
    });
  });

  it('is not searched', async () =>
    expectFailure(await account.get('/sessions?q=a'), 'invalidQuery', expect.any(String)));
});

describe('GET /sessions/:id', () => {
  it('shows the session to that User and to an Admin', async () => {
    for (const client of [account, await again(), service.admin]) {
      const answer = await client.get(`/sessions/${account.session._id}`);
      expect(answer).toMatchObject({ status: 200, body: account.session, headers: { 'cache-control': 'no-store' } });
      expect(answer.headers.etag).toBeUndefined();
    }
  });

  it('keeps other accounts out', async () => {
    const other = await service.account();
    expectFailure(await other.get(`/sessions/${account.session._id}`), 'forbidden');
  });

  it('does not find one that has run out', async () => {
    const { session } = await again();
    await expire(session._id);
    expectFailure(await account.get(`/sessions/${session._id}`), 'sessionNotFound');
  });

  it.each([NOTHING, ...NO_IDS])('names none by %s', async (id) => {
    expectFailure(await account.get(`/sessions/${encodeURI(id)}`), 'sessionNotFound');
  });
});

describe('DELETE /sessions/:id', () => {
  it('ends the session: its tokens stop working at once, others go on', async () => {
    const other = await again();
    expect((await account.delete(`/sessions/${account.session._id}`)).status).toBe(204);
    expectFailure(await account.get('/sessions'), 'accountGone');
    expectFailure(await service.nobody.post('/tokens', { refreshToken: account.refreshToken }), 'refreshTokenUnusable');
    expect(idsOf(await other.get('/sessions'))).toEqual([other.session._id]);
    const stored = await service.model<User>('User').findById(account.id).lean();
    expect(stored).toMatchObject({ revision: 0, sessions: [{ _id: new Types.ObjectId(other.session._id) }] });
  });

  it('is for that User and Admins', async () => {
    const other = await service.account();
    expectFailure(await other.delete(`/sessions/${account.session._id}`), 'forbidden');
    expect((await account.get('/sessions')).status).toBe(200);
    expect((await service.admin.delete(`/sessions/${account.session._id}`)).status).toBe(204);
    expectFailure(await account.get('/sessions'), 'accountGone');
  });

  it('answers a second time as one that is gone', async () => {
    const { session } = await again();
    await account.delete(`/sessions/${session._id}`);
    expectFailure(await account.delete(`/sessions/${session._id}`), 'sessionNotFound');
  });

  it('ignores If-Match', async () => {
    const { session } = await again();
    expect((await account.delete(`/sessions/${session._id}`, { 'if-match': '"x"' })).status).toBe(204);
  });
});
