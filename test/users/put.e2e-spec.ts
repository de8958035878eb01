import { User } from '../../src/users/user.schema';
import { Client } from '../support/client';
import { expectFailure, expectFaults } from '../support/expect-error';
import { NOTHING } from '../support/records';
import { ADMIN, Service, startService } from '../support/service';

let service: Service;
let account: Client;
let path: string;
let body: { username: string; companyName: string; email: string };
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await service.account();
  path = `/users/${account.id}`;
  const { username, companyName, email } = account.user;
  body = { username, companyName, email };
});

const stored = (): Promise<User | null> => service.model<User>('User').findById(account.id).lean();

describe('PUT /users/:id', () => {
  it('replaces what the User says of themselves', async () => {
    const fields = { ...body, username: `${body.username}-B`, companyName: 'Bögen' };
    const answer = await account.put(path, fields);
    const { createdAt, _id } = account.user;
    const updatedAt = answer.body.data.updatedAt as string;
    expect(answer).toMatchObject({ status: 200, headers: { etag: '"1-1"' } });
    expect(answer.body).toEqual({ status: 'success', data: { _id, ...fields, roles: [], createdAt, updatedAt } });
    expect(Date.parse(updatedAt)).toBeGreaterThan(Date.parse(createdAt));
    const usernameKey = fields.username.toLowerCase();
    const searchText = `${usernameKey}\nbögen\n${fields.email}`;
    expect(await stored()).toMatchObject({ ...fields, usernameKey, searchText, revision: 1 });
    expect((await account.get(path)).body).toEqual(answer.body.data);
  });

  it('finds the User by the new name at once, and no longer by the old one', async () => {
    await account.put(path, { ...body, username: 'renamed' });
    await service.logIn({ username: 'RENAMED', password: account.password });
    const old = await service.nobody.post('/sessions', { username: body.username, password: account.password });
    expectFailure(old, 'wrongLogin');
  });

  it.each([
    ['username', ['second-name', 'third-name']],
    ['email', ['second@roster.example', 'third@roster.example']],
  ] as const)('frees each %s that a User gives up, for the next', async (field, [second, third]) => {
    await account.put(path, { ...body, [field]: second });
    await account.put(path, { ...body, [field]: third });
    for (const value of [body[field], second]) {
      expect((await service.account({ [field]: value })).user).toMatchObject({ [field]: value });
    }
    expect(await stored()).toMatchObject({ ...body, [field]: third, revision: 2 });
  });

  it('takes back what GET gave', async () => {
    const { body: got, headers } = await account.get(path);
    const answer = await account.put(path, got);
    expect(answer).toMatchObject({ status: 200, body: { data: got }, headers: { etag: headers.etag } });
  });

  it('changes nothing where nothing changes', async () => {
    const before = await stored();
    const same = { ...body, username: ` ${body.username} `, roles: [], password: null };
    const answer = await account.put(path, same);
    expect(answer.body.data).toEqual(account.user);
    expect(await stored()).toEqual(before);
  });

  it('keeps password, roles and sessions that it does not name', async () => {
    const before = await stored();
    await account.put(path, { ...body, companyName: 'New' });
    const { passwordHash, roles, sessions } = (await stored()) as User;
    expect({ passwordHash, roles, sessions }).toEqual({
      passwordHash: before?.passwordHash,
      roles: before?.roles,
      sessions: before?.sessions,
    });
  });

  it('lets a User change the case of their own name', async () => {
    const username = body.username.toUpperCase();
    expect((await account.put(path, { ...body, username })).body.data.username).toBe(username);
  });

  it.each([
    ['usernameTaken', { username: ADMIN.username.toUpperCase() }],
    ['emailTaken', { email: ADMIN.email.toUpperCase() }],
  ] as const)('refuses what another User has: %s', async (failure, fields) => {
    const before = await stored();
    expectFailure(await account.put(path, { ...body, ...fields }), failure);
    expect(await stored()).toEqual(before);
  });

  it('asks for every required field and takes no unknown one', async () => {
    const before = await stored();
    const answer = await account.put(path, { username: null, email: '', $set: {} });
    expectFaults(
      answer,
      ['missing', 'username'],
      ['missing', 'companyName'],
      ['blank', 'email'],
      ['unknownField', '$set'],
    );
    expect(await stored()).toEqual(before);
  });

  it('creates nobody', async () => {
    const users = await service.model('User').countDocuments();
    expectFailure(await service.admin.put(`/users/${NOTHING}`, body), 'userNotFound');
    expect(await service.model('User').countDocuments()).toBe(users);
  });

  it('keeps other accounts out', async () => {
    const other = await service.account();
    const before = await stored();
    expectFailure(await other.put(path, { ...body, companyName: 'Stolen' }), 'forbidden');
    expect(await stored()).toEqual(before);
  });
});

describe('If-Match on PUT /users/:id', () => {
  it.each(['"1-0"', '"x", "1-0"', '*'])('lets the write pass with %s', async (tag) => {
    const answer = await account.put(path, { ...body, companyName: 'New' }, { 'if-match': tag });
    expect(answer).toMatchObject({ status: 200, headers: { etag: '"1-1"' } });
  });

  it.each(['"1-1"', 'W/"1-0"', '1-0', '"1-0', ''])('keeps the write out with %j', async (tag) => {
    const before = await stored();
    const answer = await account.put(path, { ...body, companyName: 'New' }, { 'if-match': tag });
    expectFailure(answer, 'preconditionFailed');
    expect(await stored()).toEqual(before);
  });

  it('is judged after faults and roles, before nothing-to-do and conflicts', async () => {
    const stale = { 'if-match': '"1-9"' };
    expectFaults(await account.put(path, { ...body, email: '' }, stale), ['blank', 'email']);
    expectFailure(await account.put(path, { ...body, roles: ['admin'] }, stale), 'forbidden');
    expectFailure(await account.put(path, body, stale), 'preconditionFailed');
    expectFailure(await account.put(path, { ...body, username: 'admin' }, stale), 'preconditionFailed');
  });

  it('does not see logins', async () => {
    await service.logIn({ username: body.username, password: account.password });
    const answer = await account.put(path, { ...body, companyName: 'New' }, { 'if-match': '"1-0"' });
    expect(answer.status).toBe(200);
  });
});
