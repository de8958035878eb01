import { User } from '../../src/users/user.schema';
import { Client } from '../support/client';
import { expectFailure } from '../support/expect-error';
import { idsOf, linkOf, NO_IDS, NOTHING } from '../support/records';
import { Service, startService } from '../support/service';

let service: Service;
let accounts: Client[];
beforeAll(async () => {
  service = await startService();
  const companies = ['Straße', 'Grace & Co', 'a.c*(', 'İstanbul', 'ΣΊΣΥΦΟΣ'];
  accounts = await Promise.all(companies.map((companyName) => service.account({ companyName })));
});
afterAll(() => service.stop());

describe('GET /users', () => {
  it('shows an Admin all Users, by _id', async () => {
    const answer = await service.admin.get('/users');
    expect(idsOf(answer)).toEqual([service.admin.id, ...accounts.map(({ id }) => id)].sort());
    expect(answer.body.data).toContainEqual(service.admin.user);
    expect(answer.headers.link).toBeUndefined();
  });

  it('shows others themselves alone, whatever they ask for', async () => {
    const [account, other] = accounts as [Client, Client];
    expect((await account.get('/users')).body.data).toEqual([account.user]);
    expect(idsOf(await account.get(`/users?q=${other.user.username}`))).toEqual([]);
    expect(idsOf(await account.get('/users?q=user'))).toEqual([account.id]);
    const counted = await account.get('/users', { prefer: 'count=exact' });
    expect(counted.headers['x-total-count']).toBe('1');
  });

  it.each([
    ['username, without regard to case', 'USER-', 5],
    ['companyName', 'grace', 1],
    ['companyName, where one letter folds to two', 'STRASSE', 1],
    ['companyName, where a sigma ends', 'σίσυφοσ', 1],
    ['companyName, as it is and not as a pattern', 'a.c*(', 1],
    ['companyName, as it is and not as a pattern', 'a.*', 0],
    ['email', '@ROSTER.example', 6],
    ['no two fields together', 'grace & co user', 0],
  ])('searches %s', async (_, q, matches) => {
    const answer = await service.admin.get(`/users?q=${encodeURIComponent(q)}`);
    expect(idsOf(answer)).toHaveLength(matches);
  });

  it('cuts the matching Users into pages by skip and limit', async () => {
    const all = idsOf(await service.admin.get('/users?q=user'));
    expect(idsOf(await service.admin.get('/users?q=user&skip=1&limit=2'))).toEqual(all.slice(1, 3));
    expect(idsOf(await service.admin.get('/users?q=user&skip=1000000'))).toEqual([]);
  });

  it('links pages that partition the list', async () => {
    const walked: string[] = [];
    let path: string | undefined = '/users?limit=4';
    for (let pages = 0; path !== undefined && pages < 9; pages += 1) {
      const page = await service.admin.get(path);
      walked.push(...idsOf(page));
      expect(linkOf(page, 'prev')).toBeUndefined();
      path = linkOf(page, 'next');
    }
    expect(walked).toEqual(idsOf(await service.admin.get('/users')));
  });

  it('starts behind the User of after, who may be gone', async () => {
    const all = idsOf(await service.admin.get('/users'));
    expect(idsOf(await service.admin.get(`/users?after=${all[2]}&limit=2`))).toEqual(all.slice(3, 5));
    expect(idsOf(await service.admin.get(`/users?after=${'0'.repeat(24)}`))).toEqual(all);
    expect(idsOf(await service.admin.get(`/users?after=${NOTHING}`))).toEqual([]);
  });

  it('counts all matching Users where asked to', async () => {
    const answer = await service.admin.get('/users?q=user&limit=1', { prefer: 'count=exact' });
    expect({ ids: idsOf(answer).length, total: answer.headers['x-total-count'] }).toEqual({ ids: 1, total: '5' });
    expect((await service.admin.get('/users')).headers['x-total-count']).toBeUndefined();
  });

  it.each([
    ['skip', 'skip=-1'],
    ['skip', 'skip=1000001'],
    ['skip', 'skip=1.0'],
    ['skip', 'skip='],
    ['limit', 'limit=0'],
    ['limit', 'limit=101'],
    ['limit', 'limit=0x1'],
    ['limit', 'limit=1&limit=1'],
    ['after', 'after=1'],
    ['after', `after=${NOTHING}&skip=0`],
    ['q', 'q='],
    ['q', `q=${'a'.repeat(101)}`],
    ['q', 'q=%00'],
    ['q', 'q=%ff'],
    ['q[$ne]', 'q[$ne]=1'],
    ['slug', 'slug=a'],
    ['Q', 'Q=a'],
  ])('refuses a faulty parameter and names it: %s in %s', async (name, query) => {
    const answer = await service.admin.get(`/users?${query}`);
    expectFailure(answer, 'invalidQuery', expect.stringContaining(`"${name}"`));
  });
});

describe('GET /users/:id', () => {
  it('shows the User with an ETag, to themselves and to an Admin', async () => {
    const [account] = accounts as [Client];
    for (const client of [account, service.admin]) {
      const answer = await client.get(`/users/${account.id}`);
      expect(answer).toMatchObject({ status: 200, body: account.user, headers: { etag: '"1-0"' } });
      expect(Object.keys(answer.body)).toEqual(Object.keys(account.user));
    }
  });

  it('answers 304 without a body to who has it already', async () => {
    const [account] = accounts as [Client];
    for (const tag of ['"1-0"', 'W/"1-0"', '"x", "1-0"', '*']) {
      const answer = await account.get(`/users/${account.id}`, { 'if-none-match': tag });
      expect(answer).toMatchObject({ status: 304, text: '', headers: { etag: '"1-0"' } });
    }
    const changed = await account.get(`/users/${account.id}`, { 'if-none-match': '"1-1", 1-0' });
    expect(changed.status).toBe(200);
  });

  it('keeps other accounts out', async () => {
    const [account, other] = accounts as [Client, Client];
    expectFailure(await other.get(`/users/${account.id}`), 'forbidden');
  });

  it.each([NOTHING, ...NO_IDS])('names nobody by %s', async (id) => {
    expectFailure(await service.admin.get(`/users/${encodeURI(id)}`), 'userNotFound');
  });

  it('does not find a User by an upper-case id', async () => {
    const [account] = accounts as [Client];
    const stored = await service.model<User>('User').exists({ _id: account.id });
    expect(stored).not.toBeNull();
    expectFailure(await service.admin.get(`/users/${account.id.toUpperCase()}`), 'userNotFound');
  });

  it('answers HEAD as GET, without the body', async () => {
    const [account] = accounts as [Client];
    const get = await account.get(`/users/${account.id}`);
    const head = await account.send({ method: 'HEAD', path: `/users/${account.id}` });
    expect(head).toMatchObject({ status: 200, text: '', headers: { etag: get.headers.etag } });
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
  });
});
