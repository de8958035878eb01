import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newWord, userBody } from '../client.mjs';
import { created, fails, has, ids, invalid, ok, sameVersion } from '../expect.mjs';
import { admin, alice, anyone, bob, newUser } from '../main.mjs';

/** Users: contract §3 (User), §4 */

test('POST /users creates a User, and PUT /users/:id replaces one', async () => {
  const { password, ...fields } = userBody();
  const response = await admin.post('/users', { ...fields, password });
  const user = created(response);
  has(user, { ...fields, roles: [], updatedAt: user.createdAt });
  const { location } = response.headers;
  sameVersion(await admin.get(location), response);
  fails(await bob.post('/users', '{"broken'), 403, 1200);
  const after = ok(await admin.put(location, { ...user, companyName: '  Cafe\u0301  ' }));
  has(after.body.data, { ...fields, companyName: 'Caf\u00e9' });
  invalid(await admin.put(location, { companyName: 'x' }), '5001 username', '5001 email');
});

test('The fields of a User have their own rules', async () => {
  for (const [field, code, value] of [
    ['username', 5005, 'ab'],
    ['username', 5006, 'x'.repeat(31)],
    ['username', 5007, 'a.b'],
    ['email', 5006, `${'x'.repeat(64)}@${['x'.repeat(63), 'y'.repeat(63), 'z'.repeat(62)].join('.')}`],
    ['email', 5007, 'a@b@example.com'],
    ['companyName', 5006, 'x'.repeat(256)],
    ['password', 5005, 'é'.repeat(6) + '𝒳'],
    ['password', 5006, 'xY4'.repeat(43)],
    ['password', 5014, 'password1'],
  ])
    invalid(await admin.post('/users', userBody({ [field]: value })), `${code} ${field}`);
});

test('Usernames and e-mail addresses are unique without regard to case', async () => {
  const { username, email } = bob.user;
  const other = await newUser();
  for (const [code, name] of [
    [1502, { username: username.toUpperCase() }],
    [1503, { email: email.toUpperCase() }],
  ]) {
    fails(await admin.post('/users', userBody(name)), 409, code);
    fails(await admin.put(`/users/${other.id}`, { ...other.user, ...name }), 409, code);
  }
});

test('A User is for Self and Admins, also in the list', async () => {
  const word = newWord();
  const me = await newUser({ username: `${word}-a` });
  const company = await newUser({ companyName: `Füü ${word} Straße` });
  const email = await newUser({ email: `x.${word}@example.com` });
  assert.deepEqual(ids(await admin.get(`/users?q=${word.toUpperCase()}`)), [me.id, company.id, email.id].sort());
  assert.deepEqual(ids(await me.get('/users')), [me.id]);
  for (const method of ['GET', 'PUT', 'DELETE']) fails(await bob.send(method, `/users/${alice.id}`), 403, 1200);
  for (const client of [bob, admin]) ok(await client.get(`/users/${bob.id}`));
});

test('Only Admins change usernames and e-mail addresses, their own with currentPassword', async () => {
  const me = await newUser();
  for (const name of [{ username: newWord() }, { email: `${newWord()}@example.com` }])
    fails(await me.put(`/users/${me.id}`, { ...me.user, ...name, currentPassword: me.password }), 403, 1200);
  const username = me.user.username.toUpperCase();
  has(ok(await admin.put(`/users/${me.id}`, { ...me.user, username })).body.data, { username });

  const other = await newUser({ roles: ['admin'] });
  const put = (fields) => other.put(`/users/${other.id}`, { ...other.user, username: newWord(), ...fields });
  invalid(await put({}), '5001 currentPassword');
  ok(await put({ currentPassword: other.password }));
});

test('One’s own new password needs currentPassword and ends the other sessions', async () => {
  const me = await newUser({ password: ' \u0000 Caf\u00e9 \t\n pw ' });
  const other = await me.newSession();
  const password = `New ${newWord()} 5?`;
  const put = (fields) => me.put(`/users/${me.id}`, { ...me.user, ...fields });
  invalid(await put({ password }), '5001 currentPassword');
  invalid(await put({ password, currentPassword: me.password.trim() }), '5013 currentPassword');
  ok(await put({ password, currentPassword: me.password.normalize('NFD') }));
  fails(await other.get('/users'), 401, 1102);
  created(await anyone.refresh(me.session.refreshToken));
  fails(await me.logIn(), 401, 1103);
  created(await me.logIn(password));
});

test('A password that an Admin sets ends all sessions of the User', async () => {
  const me = await newUser();
  ok(await admin.put(`/users/${me.id}`, { ...me.user, password: `New ${newWord()} 5?` }));
  fails(await me.get('/users'), 401, 1102);
});

test('An Admin grants and removes the role at once; a change by others is 403, before 412', async () => {
  const me = await newUser({ roles: ['admin'] });
  ok(await me.get(`/users/${bob.id}`));
  const path = `/users/${me.id}`;
  const { roles, ...rest } = me.user;
  has(ok(await admin.put(path, rest)).body.data, { roles });
  has(ok(await admin.put(path, { ...rest, roles: [] })).body.data, { roles: [] });
  fails(await me.get(`/users/${bob.id}`), 403, 1200);
  const put = (fields) => me.put(path, { ...rest, ...fields }, { 'if-match': '"stale"' });
  fails(await put({ roles }), 403, 1200);
  invalid(await put({ roles, companyName: '' }), '5622 companyName');
  fails(await put({ roles: [] }), 412, 1600);
});

test('DELETE /users/:id deletes the account and its sessions, and removes it from Organizations', async () => {
  const me = await newUser();
  const shared = await me.organization();
  created(await me.post(`${shared.path}/managers`, { userId: alice.id }));
  const own = await me.organization();
  const { message } = fails(await me.delete(`/users/${me.id}`), 409, 1506).body;
  assert.ok(message.includes(own.name) && !message.includes(shared.name), message);
  ok(await me.delete(own.path), 204);
  ok(await me.delete(`/users/${me.id}`), 204);
  has(ok(await alice.get(shared.path)).body, { managerIds: [alice.id], createdBy: me.id });
  fails(await me.get('/users'), 401, 1102);
  fails(await anyone.refresh(me.session.refreshToken), 401, 1104);
  fails(await admin.get(`/sessions/${me.session._id}`), 404, 1306);
  const { username, email } = me.user;
  created(await admin.post('/users', userBody({ username, email })));
});
