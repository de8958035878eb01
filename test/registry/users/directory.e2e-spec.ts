import type { ApiResponse, Client } from '../../support/client';
import { expectError, expectOutcome } from '../../support/expect-error';
import { etag, idsOf } from '../../support/records';
import { type Service, useService } from '../../support/service';
import { withKey } from '../api-keys/keys';

/** What others see of a User. */
const nameOf = ({ user: { _id, username, companyName, createdAt } }: Client): object => ({
  ...{ _id, username, companyName, createdAt },
});

const service = useService();
let account: Client;
let other: Client;
beforeEach(async () => {
  [account, other] = [await service.account(), await service.account()];
});
const suspend = (isSuspended: boolean): Promise<ApiResponse> =>
  service.admin.put(`/users/${other.id}`, other.userBody({ isSuspended }));
const found = async (query: string, by = account): Promise<string[]> => idsOf(await by.get(`/users?${query}`));

describe('GET /users of an account that is no Admin', () => {
  it('shows all Users, of others the names only, also to an API key and after a suspension', async () => {
    await suspend(true);
    const { program } = await withKey(account, { scope: 'read' });
    for (const client of [account, program]) {
      const { data } = (await client.get('/users?limit=100')).body;
      expect(data).toHaveLength(await service.model('User').countDocuments());
      const [own, shown] = [account, other].map(({ id }) => (data as { _id: string }[]).find(({ _id }) => _id === id));
      expect(own).toEqual({ ...account.user, etag: etag(0) });
      const { headers, body } = await client.get(`/users/${other.id}`);
      expect(body).toEqual(nameOf(other));
      expect(shown).toEqual({ ...body, etag: headers.etag });
    }
  });

  it('finds others by q in their names, themselves also in the e-mail address, and counts no others', async () => {
    for (const q of [other.user.username, other.user.companyName.toUpperCase()])
      expect(await found(`q=${encodeURIComponent(q)}`)).toContain(other.id);
    const [name = ''] = other.user.email.split('@');
    for (const q of [other.user.email, `${name}@`, '@roster.example', `${other.user.companyName} ${name}`]) {
      const { body, headers } = await account.get(`/users?q=${encodeURIComponent(q)}`, { prefer: 'count=exact' });
      const ids = q === '@roster.example' ? [account.id] : [];
      expect({ q, ids: idsOf({ body }), total: headers['x-total-count'] }).toEqual({
        ...{ q, ids, total: String(ids.length) },
      });
    }
    expect(await found(`q=${account.user.email}`)).toEqual([account.id]);
    expect(await found(`q=${other.user.email}`, service.admin)).toEqual([other.id]);
  });

  it('refuses filters by hidden fields, after an invalid query', async () => {
    const message = 'Only an Admin may filter Users by "email".';
    const path = `/users?username=${account.user.username}&q=x&email=x@y.example`;
    expectError(await account.get(path), 'forbidden', message);
    expectOutcome(await account.get(`${path}&limit=0`), 'invalidQuery');
    expectOutcome(await account.get('/users?email='), 'invalidQuery');
    expectOutcome(await service.admin.get(path), 200);
  });
});

describe('the ETag of a User', () => {
  const read = (path: string, headers?: object): Promise<ApiResponse> => account.get(path, { ...headers });

  it('is for others a hash of what they see: it changes with the names, and not with a suspension', async () => {
    const paths = [`/users/${other.id}`, `/users?username=${other.user.username}`];
    const tags = async (): Promise<unknown[]> => {
      const [one, list] = await Promise.all(paths.map((path) => read(path)));
      expect(list!.body.data[0].etag).toBe(one!.headers.etag);
      return [one!.headers.etag, list!.headers.etag];
    };
    const before = await tags();
    await suspend(true);
    await suspend(false);
    expect(await tags()).toEqual(before);
    for (const [at, path] of paths.entries())
      expect(await read(path, { 'if-none-match': before[at] })).toMatchObject({ status: 304, text: '' });
    await service.admin.put(`/users/${other.id}`, other.userBody({ companyName: 'Renamed' }));
    const after = await tags();
    expect(after[0]).not.toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  });

  it('is compared with If-Match, for a HEAD too, and differs from the ETag that Admins see', async () => {
    const path = `/users/${other.id}`;
    const { etag: seen } = (await read(path)).headers;
    const { etag: whole } = (await service.admin.get(path)).headers;
    expect(whole).toBe(etag(0));
    const head = { method: 'HEAD', path } as const;
    expect(await account.send(head)).toMatchObject({ status: 200, text: '', headers: { etag: seen } });
    expect((await account.send({ ...head, headers: { 'if-none-match': seen } })).status).toBe(304);
    expectOutcome(await read(path, { 'if-match': seen }), 200);
    expectError(await read(path, { 'if-match': whole }), 'preconditionFailed');
    expectOutcome(await read(path, { 'if-none-match': whole }), 200);
  });
});

describe('USER_DIRECTORY=admins', () => {
  const closed = useService({ USER_DIRECTORY: 'admins' });
  let own: Client;
  let hidden: Client;
  beforeAll(async () => {
    [own, hidden] = await everybody(closed);
  });
  const everybody = async (one: Service): Promise<[Client, Client]> => [await one.account(), await one.account()];

  it('shows an account that is no Admin itself only, on any page', async () => {
    const item = { ...own.user, etag: etag(0) };
    for (const query of ['', '?limit=1', '?sort=-_id', '?q=', '?skip=0', `?after=${closed.admin.id}`])
      expect((await own.get(`/users${query}`)).body.data).toEqual([item]);
    for (const query of ['?skip=1', `?after=${own.id}`])
      expect((await own.get(`/users${query}`)).body.data).toEqual([]);
    const { headers } = await own.get('/users', { prefer: 'count=exact' });
    expect(headers['x-total-count']).toBe('1');
    expectOutcome(await own.get(`/users/${own.id}`), 200);
    expectOutcome(await own.get('/users/me'), 200);
    expectError(await own.get(`/users/${hidden.id}`), 'forbidden');
  });

  it('refuses every filter of an account that is no Admin, and none of an Admin', async () => {
    const query = `/users?id=${own.id}`;
    expectError(await own.get(query), 'forbidden', 'Only an Admin may filter Users by "id".');
    expectOutcome(await own.get('/users?q=x&limit=0'), 'invalidQuery');
    expectOutcome(await closed.admin.get(query), 200);
    expect(idsOf(await closed.admin.get('/users'))).toContain(hidden.id);
  });
});
